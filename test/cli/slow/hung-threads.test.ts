import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isGroupRunning } from '../../support/children.ts'
import { hangThreads, type ThreadName } from '../../support/hang-threads.ts'
import { freePort } from '../../support/ports.ts'
import { databaseIn, type Service, startService } from '../../support/service.ts'
import { untilPortIsClosed } from '../../support/stopping.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { until } from '../../support/until.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const bin = fileURLToPath(new URL('../../../bin/petstore.js', import.meta.url))
const linux = { skip: process.platform === 'linux' ? false : 'uses /proc and named pipes' }
/** operating.md promises ten seconds; a busy machine is late. */
const promisedMs = 12_500

async function send({ origin, key }: Pick<Service, 'origin' | 'key'>, path: string, body?: object) {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(origin + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...init,
  })
  return { status: response.status, text: await response.text() }
}

/** Starts every thread of a service: the writer is there, a search and an enabled webhook start the others. */
async function startThreads(service: Pick<Service, 'origin' | 'key'>): Promise<void> {
  assert.equal((await send(service, '/v1/pets?name=rex')).status, 200)
  assert.equal((await send(service, '/v1/webhooks', { url: 'http://127.0.0.1:9/' })).status, 201)
}

async function startHanging(t: TestContext, name: ThreadName, options: { args?: string[]; program?: string } = {}) {
  const { env, hang } = hangThreads(t)
  const service = await startService(t, { ...options, env: { ...env, PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true' } })
  await startThreads(service)
  await hang(name)
  return service
}

/** So that the next signal is no part of the same key press. */
const nextPressMs = 300

for (const name of ['writer', 'search', 'delivery'] as const) {
  test(`a service whose ${name} thread hangs ends within the promised time`, linux, async (t) => {
    const service = await startHanging(t, name)
    const start = performance.now()

    await service.stop()

    assert.ok(performance.now() - start < promisedMs, `${Math.round(performance.now() - start)} ms`)
  })
}

for (const options of [{}, { program: bin }, { args: ['--workers', '2'] }]) {
  const how = JSON.stringify(options.program === bin ? 'bin/petstore.js' : (options.args ?? 'serve'))
  test(`a second signal ends a service whose writer thread hangs at once: ${how}`, linux, async (t) => {
    const service = await startHanging(t, 'writer', options)

    service.child.kill('SIGTERM')
    await wait(nextPressMs)
    const start = performance.now()
    await service.stop()

    assert.ok(performance.now() - start < 2_000, `${Math.round(performance.now() - start)} ms`)
    await untilPortIsClosed(service.origin)
  })
}

test('npm start ends with its service, whose writer thread hangs', linux, async (t) => {
  const { env, hang } = hangThreads(t)
  const folder = temporaryFolder(t)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: {
      ...env,
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PETSTORE_PORT: `${port}`,
      PETSTORE_DATABASE_URL: databaseIn(folder),
    },
  })
  t.after(() => {
    if (isGroupRunning(Number(child.pid))) process.kill(-Number(child.pid), 'SIGKILL')
  })
  await until(() =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  await hang('writer')
  const start = performance.now()

  child.kill('SIGTERM')
  await once(child, 'exit')
  await until(() => !isGroupRunning(Number(child.pid)))

  assert.ok(performance.now() - start < promisedMs, `${Math.round(performance.now() - start)} ms`)
})
