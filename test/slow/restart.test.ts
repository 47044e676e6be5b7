import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../support/engines.ts'
import { freePort } from '../support/ports.ts'
import { startService } from '../support/service.ts'

const key = 'a-key-of-the-operators-own'
const connections = 24
/** Far less than the service can do: a busy machine must have time left to start and stop it. */
const pauseMs = 10
/**
 * A stop takes half a second, for which the service waits for requests on idle connections. If it takes this long, the
 * machine did not let the service or the clients run in time, and the restart proves nothing: it is repeated.
 */
const busyStopMs = 1_500
const restarts = Number(process.env['PETSTORE_RESTARTS'] ?? 3)

/**
 * Clients that ask one request after the other, and keep their connections unless told otherwise. A connection that is
 * refused is tried again, as nothing was sent on it; any other failure counts.
 */
function startLoad(t: TestContext, port: string, keepAlive = true) {
  const agent = new Agent({ keepAlive, maxSockets: connections })
  const failures: string[] = []
  let answered = 0
  const stopped = new AbortController()
  t.after(() => {
    stopped.abort()
    agent.destroy()
  })

  async function ask(method: string): Promise<number | undefined> {
    const body = method === 'POST' ? '{"name":"Rex","categoryId":1}' : ''
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const sent = request({ agent, host: '127.0.0.1', port, path: '/v1/pets', method, headers }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await answer.resume().toArray()
    return answer.statusCode
  }

  async function client(index: number): Promise<void> {
    const [method, expected] = index % 3 === 0 ? ['POST', 201] : ['GET', 200]
    while (!stopped.signal.aborted) {
      try {
        const status = await ask(method)
        if (status === expected) answered++
        else failures.push(`${method} ${status}`)
        await wait(pauseMs)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'ECONNREFUSED') failures.push(`${method} ${code} ${(error as Error).message}`)
        await wait(5)
      }
    }
  }
  const working = Array.from({ length: connections }, (_, index) => client(index))
  return {
    failures,
    count: () => answered,
    async stop() {
      stopped.abort()
      await Promise.all(working)
      agent.destroy()
    },
  }
}

for (const [name, args] of [
  ['one process', []],
  ['workers', ['--workers', '2']],
] as const) {
  test(`restarts under load fail no request: ${name}`, async (t) => {
    const cwd = temporaryFolder(t)
    const port = String(await freePort())
    const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'error', PETSTORE_PORT: port }
    let service = await startService(t, { cwd, env, args: [...args] })
    const load = startLoad(t, port)
    const codes: (number | null)[] = []

    for (let round = 0, tries = 0; round < restarts; round++) {
      const before = load.count()
      while (load.count() < before + 200) await wait(10)
      const failuresBefore = load.failures.length
      const start = performance.now()
      codes.push(await service.stop())
      const isBusy = performance.now() - start > busyStopMs
      service = await startService(t, { cwd, env, args: [...args] })
      if (!isBusy || ++tries > 20) continue
      load.failures.length = failuresBefore
      round--
    }
    await load.stop()

    t.diagnostic(`${load.count()} requests`)
    assert.deepEqual(load.failures, [])
    assert.deepEqual(new Set(codes), new Set([0]))
  })
}

test('a restart resets hardly any of the connections that clients make for each request', async (t) => {
  const cwd = temporaryFolder(t)
  const port = String(await freePort())
  const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'error', PETSTORE_PORT: port }
  let service = await startService(t, { cwd, env })
  const load = startLoad(t, port, false)

  for (let round = 0; round < restarts; round++) {
    const before = load.count()
    while (load.count() < before + 200) await wait(10)
    await service.stop()
    service = await startService(t, { cwd, env })
  }
  await load.stop()

  // The system has no way to close a port without a moment in which a connection is made and never accepted. A port
  // that is closed at once resets some twenty of them with each restart.
  t.diagnostic(`${load.failures.length} of ${load.count()} requests failed`)
  assert.ok(load.failures.length <= 6 * restarts, load.failures.join('\n'))
})
