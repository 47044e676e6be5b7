import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../support/engines.ts'
import { freePort } from '../support/ports.ts'
import { missing, read } from './files.ts'

export const configuration = read('deploy/haproxy.cfg')
export const skip = missing('haproxy', 'the Debian package haproxy', '-v')
export const servers = [...configuration.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name = '', address = '']) => ({
  name,
  address,
}))

/** The configuration with other addresses: of the instances, then of the public, the health and the command port. */
export function atPorts(instances: string[], [main, health, commands]: number[]): string {
  const replaced = servers.reduce(
    (text, { address }, index) => text.replace(` ${address}\n`, ` ${instances[index]}\n`),
    configuration,
  )
  return replaced
    .replace('bind :8080', `bind 127.0.0.1:${main}`)
    .replace('bind 127.0.0.1:8404', `bind 127.0.0.1:${health}`)
    .replace('ipv4@127.0.0.1:9999', `ipv4@127.0.0.1:${commands}`)
}

export async function startProxy(t: TestContext, instances: string[]) {
  const ports = await freePorts(3)
  const path = join(temporaryFolder(t), 'haproxy.cfg')
  writeFileSync(path, atPorts(instances, ports))
  const proxy: ChildProcess = spawn('haproxy', ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(() => proxy.kill('SIGKILL'))
  let output = ''
  proxy.stderr?.on('data', (text) => (output += text))

  async function command(text: string): Promise<string> {
    const socket = connect(ports[2] as number, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part))
    socket.end(`${text}\n`)
    await once(socket, 'close')
    return answer
  }
  while (!(await command('show info').catch(() => ''))) {
    assert.equal(proxy.exitCode, null, output)
    await sleep(20)
  }
  return { origin: `http://127.0.0.1:${ports[0]}`, command }
}

export async function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort))
}
