import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { certificate, certificateFiles } from '../support/certificates.ts'
import { temporaryFolder } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { missing, read, runProgram } from './files.ts'
import { atPorts, freePorts } from './haproxy.ts'

const { cert, key } = certificate('first')
const files = certificateFiles('first')

interface Recipe {
  skip: string | false
  /** Writes the configuration of deploy/ with other addresses and returns the command line. */
  command(folder: string, port: number, service: string): Promise<[program: string, ...args: string[]]>
}

const haproxy: Recipe = {
  skip: missing('haproxy', 'the Debian package haproxy', '-v'),
  async command(folder, port, service) {
    const pem = join(folder, 'petstore.pem')
    writeFileSync(pem, cert + key)
    const [main = 0, health = 0, commands = 0] = await freePorts(3)
    const plain = atPorts([service, service], [main, health, commands])
    // The line that the file names for HTTPS.
    const secure = plain
      .replace(/^ {2}bind 127\.0\.0\.1:\d+\n {2}# (bind :8443.*)$/m, '  $1')
      .replace('bind :8443', `bind 127.0.0.1:${port}`)
      .replace(/crt \S+/, `crt ${pem}`)
    const path = join(folder, 'haproxy.cfg')
    writeFileSync(path, secure)
    return ['haproxy', '-db', '-f', path]
  },
}

const caddy: Recipe = {
  skip: missing('caddy', 'the Debian package caddy', 'version'),
  async command(folder, port, service) {
    const text = read('deploy/Caddyfile')
      .replace(
        'shop.example {',
        `{\n\tadmin off\n\tauto_https off\n}\n\nhttps://localhost:${port} {\n\ttls ${files.cert} ${files.key}`,
      )
      .replace('127.0.0.1:8080 {', `${service} {`)
    const path = join(folder, 'Caddyfile')
    writeFileSync(path, text)
    return ['caddy', 'run', '--config', path, '--adapter', 'caddyfile']
  },
}

/** A client behind an address of its own: the whole network 127.0.0.0/8 is this machine. */
async function send(port: number, path: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', servername: 'localhost', port, path, ca: cert, agent: false, ...options })
  sent.setHeader('host', `localhost:${port}`)
  sent.end(options.method === 'POST' ? '{"name":"Rex","categoryId":1}' : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

async function start(t: TestContext, recipe: Recipe, rateLimit?: number) {
  const app = await startApp(t, { trustProxy: ['127.0.0.1'], rateLimit })
  const [port = 0] = await freePorts(1)
  const folder = temporaryFolder(t)
  const [program, ...args] = await recipe.command(folder, port, new URL(app.origin).host)
  const proxy: ChildProcess = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  t.after(() => proxy.kill('SIGKILL'))
  let output = ''
  proxy.stderr?.on('data', (text) => (output += text))
  await until(async () => {
    assert.equal(proxy.exitCode, null, output)
    const response = await send(port, '/readyz').catch(() => undefined)
    response?.resume()
    return response?.statusCode === 200
  })
  return { ...app, port, headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' } }
}

for (const [name, recipe] of Object.entries({ haproxy, caddy })) {
  const { skip } = recipe

  test(`${name}: links behind HTTPS begin with https, whatever the client claims`, { skip }, async (t) => {
    const { port, headers } = await start(t, recipe)
    const claims = { ...headers, 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }

    const created = await send(port, '/v1/pets', { method: 'POST', headers: claims })
    created.resume()

    assert.equal(created.statusCode, 201)
    assert.equal(created.headers.location, `https://localhost:${port}/v1/pets/1`)
  })

  test(`${name}: events pass the proxy at once`, { skip }, async (t) => {
    const { port, headers, create } = await start(t, recipe)
    const stream = await send(port, '/v1/events', { headers: { ...headers, accept: 'text/event-stream' } })
    let received = ''
    stream.setEncoding('utf8').on('data', (text: string) => (received += text))

    for (const pet of ['first', 'second']) {
      await create({ name: pet, categoryId: 1 })
      await until(() => received.includes(`"name":"${pet}"`))
    }

    stream.destroy()
  })

  test(`${name}: a limit counts the address of each client, whatever the client claims`, { skip }, async (t) => {
    const { port } = await start(t, recipe, 2)
    const statuses = async (localAddress: string, count: number, headers = {}) => {
      const found: (number | undefined)[] = []
      for (let sent = 0; sent < count; sent++) {
        const response = await send(port, '/v1/pets', { localAddress, headers })
        response.resume()
        found.push(response.statusCode)
      }
      return found
    }

    assert.deepEqual(await statuses('127.0.0.2', 3), [401, 401, 429])
    assert.deepEqual(await statuses('127.0.0.3', 1), [401])
    assert.deepEqual(await statuses('127.0.0.2', 1, { 'x-forwarded-for': '127.0.0.9' }), [429])
  })
}

test('caddy accepts its configuration', { skip: caddy.skip }, () => {
  const { status, output } = runProgram('caddy', 'validate', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile')

  assert.equal(status, 0, output)
})
