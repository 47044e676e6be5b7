import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts, skip, startProxy } from '../deploy/haproxy.ts'
import { haproxyConfig } from '../failover/haproxy-config.ts'
import { temporaryFolder } from '../support/engines.ts'
import { followEvents } from '../support/event-stream.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const quietMs = 120_000

test('a stream that is quiet for two minutes stays open through HAProxy, as deploy/ and as the documents set it up', {
  skip,
  timeout: quietMs + 60_000,
}, async (t) => {
  const service = await startService(t, { env: { PETSTORE_LOG_LEVEL: 'silent' } })
  const { host } = new URL(service.origin)
  const deployed = await startProxy(t, [host, '127.0.0.1:1'])
  const documented = await startDocumentedProxy(t, Number(new URL(service.origin).port))
  const { key } = service
  for (const { origin } of [deployed, documented]) {
    await until(async () => (await fetch(`${origin}/readyz`)).status === 200)
  }
  const streams = await Promise.all([deployed, documented].map(({ origin }) => followEvents(t, { origin, key })))

  const ended = Promise.race(streams.map(async (stream) => stream.ended.then(() => 'cut' as const)))
  assert.equal(await Promise.race([ended, wait(quietMs, 'open' as const, { ref: false })]), 'open')
  await fetch(`${service.origin}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  })

  for (const stream of streams) await stream.until(() => stream.events.length === 1)
})

async function startDocumentedProxy(t: TestContext, servicePort: number): Promise<{ origin: string }> {
  const [port, databasePort] = (await freePorts(2)) as [number, number]
  const path = join(temporaryFolder(t), 'haproxy.cfg')
  const services = [{ name: 'first', port: servicePort, checkPort: servicePort }]
  writeFileSync(path, haproxyConfig({ databasePort, databases: [], servicePort: port, services }))
  const proxy = spawn('haproxy', ['-db', '-f', path], { stdio: 'ignore' })
  t.after(() => proxy.kill('SIGKILL'))
  await until(async () => {
    const socket = connect(port, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isUp
  })
  return { origin: `http://127.0.0.1:${port}` }
}
