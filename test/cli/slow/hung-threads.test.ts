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

test(
  'searches whose thread hangs are 503 within 5 s, not ready, logged, and work again afterwards',
  linux,
  async (t) => {
    const { env, hang, hungThreads, release } = hangThreads(t)
    const service = await startService(t, { env })
    assert.equal((await send(service, '/v1/pets?name=rex')).status, 200)
    await hang('search')
    const start = performance.now()

    const searches = await Promise.all(['rex', 'tom', 'fay'].map((name) => send(service, `/v1/pets?name=${name}`)))

    assert.ok(performance.now() - start < 7_000, `${Math.round(performance.now() - start)} ms`)
    assert.deepEqual(
      searches.map(({ status }) => status),
      [503, 503, 503],
    )
    await until(async () => (await send(service, '/readyz')).status === 503)
    // Nothing else is affected.
    assert.equal((await send(service, '/v1/pets')).status, 200)
    assert.equal((await send(service, '/v1/pets', { name: 'Rex', categoryId: 1 })).status, 201)
    // A disk that hangs for long does not take a thread for each search.
    await until(async () =>
      /^petstore_threads_hung\{thread="search"\} 3$/m.test((await send(service, '/metrics')).text),
    )
    await wait(2_500)
    assert.equal(hungThreads('search'), 3)

    await release('search')
    await until(async () => (await send(service, '/readyz')).status === 200)

    assert.match((await send(service, '/v1/pets?name=rex')).text, /Rex/)
    assert.match((await send(service, '/metrics')).text, /^petstore_threads_hung\{thread="search"\} 0$/m)
    assert.match(service.output.stderr, /"thread":"search".*"msg":"a thread hangs and is replaced"/)
    assert.match(service.output.stderr, /The search thread gave no result within 5000 ms.*"msg":"unavailable"/)
    assert.equal(await service.stop(), 0)
  },
)

test('a delivery thread that hangs is replaced, and its numbers are absent meanwhile', linux, async (t) => {
  const { env, hang, release } = hangThreads(t)
  const service = await startService(t, { env: { ...env, PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true' } })
  const number = /^petstore_webhook_oldest_undelivered_seconds /m
  const isKnown = async () => number.test((await send(service, '/metrics')).text)
  await startThreads(service)
  await until(isKnown)

  await hang('delivery')
  assert.equal(await isKnown(), false)
  await until(() => /"thread":"delivery".*"msg":"a thread hangs and is replaced"/.test(service.output.stderr))
  assert.equal(await isKnown(), false)
  await release('delivery')

  await until(isKnown)
  assert.equal(await service.stop(), 0)
})

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
