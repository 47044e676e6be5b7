import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorStatus } from '../../../src/contract/error.ts'
import { defaultHeartbeatMs } from '../../../src/http/events/event-stream.ts'
import { haproxyConfig } from '../../failover/haproxy-config.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { databaseIn, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { compose, imageEnvironment, read, runProgram, seconds } from '../files.ts'
import { atPorts, configuration, freePorts, servers, skip, startProxy } from '../haproxy.ts'

test('the proxy sends to the instances of compose.yaml, on the port of the image', () => {
  const instances = Object.keys(compose.services).filter((name) => name.startsWith('petstore-'))

  assert.deepEqual(
    servers,
    instances.map((name) => ({ name, address: `${name}:${imageEnvironment['PETSTORE_PORT']}` })),
  )
})

test('compose.yaml publishes the port of the proxy and checks its health there', () => {
  const { ports = [], healthcheck } = compose.services['proxy'] ?? {}

  assert.match(configuration, new RegExp(`^  bind :${ports[0]?.split(':').at(-1)}$`, 'm'))
  const health = new URL(healthcheck?.test.at(-1) ?? '')
  assert.match(configuration, new RegExp(`^  bind ${health.host}\n[^]*monitor-uri ${health.pathname}$`, 'm'))
})

test('errors of the proxy itself have the form of the contract', () => {
  const errors = [...configuration.matchAll(/^ {2}http-error status ([0-9]+) .* string '(.*?)' hdr/gm)]

  assert.deepEqual(
    errors.map(([, status]) => status),
    ['400', '408', '500', '502', '503', '504'],
  )
  for (const [, answered, text = ''] of errors) {
    const { code, message, status, ...rest } = JSON.parse(text) as Record<string, unknown>
    assert.deepEqual(rest, {})
    assert.equal(typeof message, 'string')
    assert.equal(errorStatus[code as keyof typeof errorStatus], status)
    // 502 and 504 leave as 503.
    assert.equal(status, ['502', '504'].includes(answered as string) ? 503 : Number(answered))
  }
})

const shownInDocs = /^listen service\n.*?^```/ms.exec(read('docs/high-availability.md'))?.[0] ?? ''
const inFailoverTest =
  haproxyConfig({ databasePort: 1, databases: [], servicePort: 2, services: [] }).split('listen service')[1] ?? ''
for (const [name, text] of [
  ['deploy/haproxy.cfg', configuration],
  ['docs/high-availability.md', shownInDocs],
  ['the test of failover', inFailoverTest],
] as const) {
  for (const side of ['client', 'server']) {
    test(`a quiet event stream outlasts timeout ${side} in ${name}`, () => {
      const timeouts = [...text.matchAll(new RegExp(`^ *timeout ${side} (\\S+)$`, 'gm'))].map(([, time = '']) =>
        seconds(time),
      )

      assert.equal(timeouts.length, 1)
      assert.ok((timeouts[0] as number) * 1_000 >= 3 * defaultHeartbeatMs)
    })
  }
}

test('the documented configuration is the tested one', () => {
  const settingsOf = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^(mode|balance|option|retries|timeout (client|server)|default-server)\b/.test(line))
      .toSorted()

  assert.deepEqual(settingsOf(shownInDocs), settingsOf(inFailoverTest))
})

test('haproxy accepts its configuration', { skip }, (t) => {
  const path = join(temporaryFolder(t), 'haproxy.cfg')
  writeFileSync(path, atPorts(['127.0.0.1:1', '127.0.0.1:2'], [3, 4, 5]))

  const { status, output } = runProgram('haproxy', '-c', '-V', '-f', path)

  assert.equal(status, 0, output)
  assert.doesNotMatch(output, /WARNING|ALERT/)
})

test('without an instance the proxy returns 503 in the form of the contract', { skip }, async (t) => {
  const { origin } = await startProxy(t, ['127.0.0.1:1', '127.0.0.1:2'])

  const answer = await fetch(`${origin}/v1/pets`)

  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.equal(((await answer.json()) as { code: string }).code, 'unavailable')
})

test('the instances are replaced one after the other under load, and no request fails', {
  skip,
  timeout: 30_000,
}, async (t) => {
  const folder = temporaryFolder(t)
  const key = 'a-key-of-the-operators-own'
  const ports = await freePorts(2)
  const env = { PETSTORE_DATABASE_URL: databaseIn(folder), PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'silent' }
  const start = (index: number) => startService(t, { env: { ...env, PETSTORE_PORT: String(ports[index]) } })
  const running = [await start(0), await start(1)]
  const { origin, command } = await startProxy(
    t,
    ports.map((port) => `127.0.0.1:${port}`),
  )
  const isUp = async (name: string) =>
    new RegExp(` ${name} [0-9.]+ 2 `).test(await command('show servers state petstore'))
  const untilUp = (name: string) => until(() => isUp(name))
  for (const { name } of servers) await untilUp(name)

  const counts: Record<string, number> = {}
  const enough = new AbortController()
  // A test that fails or times out must not leave its clients running.
  t.after(() => enough.abort())
  async function client(number: number): Promise<void> {
    while (!enough.signal.aborted) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = '{"name":"Rex","categoryId":1}'
      const outcome = await fetch(
        `${origin}/v1/pets`,
        number % 2 === 0 ? { headers } : { method: 'POST', headers, body },
      )
        .then(async (answer) => (answer.ok ? (await answer.text(), 'answered') : `${answer.status}`))
        .catch((error: Error) => String(error.cause))
      counts[outcome] = (counts[outcome] ?? 0) + 1
      await sleep(10)
    }
  }
  const clients = Array.from({ length: 6 }, (_, number) => client(number))
  // What rolling-restart.sh does.
  for (const [index, { name }] of servers.entries()) {
    await command(`set server petstore/${name} state drain`)
    await sleep(200)
    assert.equal(await running[index]?.stop(), 0)
    running[index] = await start(index)
    await command(`set server petstore/${name} state ready`)
    await untilUp(name)
  }
  await sleep(100)
  enough.abort()
  await Promise.all(clients)

  assert.deepEqual(Object.keys(counts), ['answered'], JSON.stringify(counts))
  assert.ok((counts['answered'] as number) > 50)
})
