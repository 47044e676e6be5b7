import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { childrenOf } from '../../support/children.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { freePort } from '../../support/ports.ts'
import { main, run, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const workers = ['--workers', '2']
/** How long it may take to replace a worker. */
const startTimeoutMs = 90_000

function client(origin: string, key: string) {
  // A connection of its own for each request, so that the requests meet all workers.
  const headers = { authorization: `Bearer ${key}`, connection: 'close', 'content-type': 'application/json' }
  const get = (path: string) => fetch(origin + path, { headers, signal: AbortSignal.timeout(startTimeoutMs) })
  return {
    create: (name: string, extra: Record<string, string> = {}) =>
      fetch(`${origin}/v1/pets`, {
        method: 'POST',
        headers: { ...headers, ...extra },
        body: JSON.stringify({ name, categoryId: 1 }),
      }),
    get,
    /** How many creates the metrics count. */
    async creates(): Promise<string | undefined> {
      const text = await (await get('/metrics')).text()
      return /_duration_seconds_count\{method="POST",route="\/v1\/pets",status="201"\} (\d+)$/m.exec(text)?.[1]
    },
  }
}

test('workers: an animal that one worker acknowledged is seen by all at once, and ids are unique', async (t) => {
  const { origin, key } = await startService(t, { args: workers })
  const { create, get } = client(origin, key)

  const ids = new Set<number>()
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`${round}-${index}`)))
    for (const answer of answers) ids.add(((await answer.json()) as { id: number }).id)
    const counts = await Promise.all(Array.from({ length: 4 }, () => get('/v1/pets?limit=100')))
    for (const answer of counts) assert.equal(((await answer.json()) as unknown[]).length, ids.size)
  }

  assert.deepEqual(
    [...ids].toSorted((a, b) => a - b),
    Array.from({ length: 80 }, (_, index) => index + 1),
  )
})

test('workers: one Idempotency-Key makes one animal, whichever worker it meets', async (t) => {
  const { origin, key } = await startService(t, { args: workers })
  const { create, get } = client(origin, key)

  const answers = await Promise.all(Array.from({ length: 20 }, () => create('Rex', { 'idempotency-key': 'once' })))

  for (const { status } of answers) assert.ok(status === 201 || status === 409, String(status))
  assert.equal(((await (await get('/v1/pets')).json()) as unknown[]).length, 1)
})

test('workers: a key that the command revokes is refused everywhere at once', async (t) => {
  const { origin, key, cwd } = await startService(t, { args: workers })
  const { get } = client(origin, key)
  assert.equal((await get('/v1/pets')).status, 200)

  const { code } = await run(t, ['keys', 'revoke', 'first key'], { cwd })

  assert.equal(code, 0)
  for (let count = 0; count < 6; count++) assert.equal((await get('/v1/pets')).status, 401)
})

test('workers: one that is killed is replaced; what it acknowledged and what it counted stays', async (t) => {
  if (process.platform !== 'linux') return t.skip('finds the workers in /proc')
  const { origin, key, child } = await startService(t, { args: workers })
  const { create, creates, get } = client(origin, key)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => create(`Rex ${index}`)))
  for (const { status } of answers) assert.equal(status, 201)
  await until(async () => (await creates()) === '12', startTimeoutMs)

  // Both: only one may have answered.
  for (const worker of childrenOf(child)) process.kill(Number(worker), 'SIGKILL')

  let answersInRow = 0
  await until(async () => {
    const answer = await get('/v1/pets').catch(() => undefined)
    answersInRow = answer?.status === 200 ? answersInRow + 1 : 0
    return answersInRow === 10
  }, startTimeoutMs)
  assert.equal(((await (await get('/v1/pets')).json()) as unknown[]).length, 12)
  await until(async () => (await creates()) === '12', startTimeoutMs)
})

test('workers: one of several is replaced while the others serve, also on a free port', async (t) => {
  if (process.platform !== 'linux') return t.skip('finds the workers in /proc')
  const { origin, key, child, output } = await startService(t, { args: workers })
  const [first = '', second = ''] = childrenOf(child)

  process.kill(Number(first), 'SIGKILL')
  await until(() => childrenOf(child).some((pid) => pid !== first && pid !== second), startTimeoutMs)
  process.kill(Number(second), 'SIGSTOP')
  const answer = await client(origin, key)
    .get('/v1/pets')
    .finally(() => process.kill(Number(second), 'SIGCONT'))

  assert.equal(answer.status, 200)
  assert.doesNotMatch(output.stderr, /cannot be started/)
})

test('workers: one that cannot be started leaves a line in the log, with the reason', async (t) => {
  if (process.platform !== 'linux') return t.skip('finds the workers in /proc')
  const { child, output, cwd } = await startService(t, { args: workers })
  renameSync(join(cwd, 'data', 'petstore.db'), join(cwd, 'away.db'))

  process.kill(Number(childrenOf(child)[0]), 'SIGKILL')
  await until(() => output.stderr.includes('cannot be started'), startTimeoutMs)

  const line = output.stderr.split('\n').find((text) => text.includes('cannot be started')) ?? ''
  assert.match((JSON.parse(line) as { reason: string }).reason, /database .* is missing/)
})

test('workers: one that ends leaves a line in the log, with how it ended and that it is replaced', async (t) => {
  if (process.platform !== 'linux') return t.skip('finds the workers in /proc')
  const { child, output } = await startService(t, { args: workers })
  const [first = ''] = childrenOf(child)

  process.kill(Number(first), 'SIGKILL')
  while (!output.stderr.includes('a worker ended')) await once(child.stderr as NodeJS.ReadableStream, 'data')

  const line = output.stderr.split('\n').find((text) => text.includes('a worker ended')) ?? ''
  const { level, pid, code, signal, msg } = JSON.parse(line) as Record<string, unknown>
  assert.deepEqual(
    { level, pid, code, signal, msg },
    { level: 50, pid: Number(first), code: null, signal: 'SIGKILL', msg: 'a worker ended and is being replaced' },
  )
})

test('workers: one that is killed while it writes takes nobody else down', async (t) => {
  if (process.platform !== 'linux') return t.skip('finds the workers in /proc')
  const env = { PETSTORE_PORT: String(await freePort()) }
  const { origin, key, child } = await startService(t, { args: workers, env })
  const { create, get } = client(origin, key)
  const state = { running: true, created: 0 }
  const writers = Array.from({ length: 8 }, async () => {
    while (state.running) {
      const answer = await create('Rex').catch(() => undefined)
      if (answer?.status === 201) state.created++
    }
  })

  for (let count = 0; count < 3; count++) {
    const [first = '', second = ''] = childrenOf(child)
    const before = state.created
    process.kill(Number(first), 'SIGKILL')
    await until(() => childrenOf(child).length === 2 && !childrenOf(child).includes(first), startTimeoutMs)
    await until(() => state.created >= before + 20, startTimeoutMs)
    assert.ok(childrenOf(child).includes(second), 'the other worker has ended too')
  }
  state.running = false
  await Promise.all(writers)

  assert.equal(child.exitCode, null)
  assert.equal((await get('/v1/pets')).status, 200)
})

test('workers: metrics add up what all of them did', async (t) => {
  const { origin, key } = await startService(t, { args: workers })
  const { create, creates, get } = client(origin, key)
  await Promise.all(Array.from({ length: 12 }, (_, index) => create(`Rex ${index}`)))

  // A worker that is too busy to say its numbers is left out, and counted at the next request.
  await until(async () => (await creates()) === '12', startTimeoutMs)
  let text = ''
  await until(async () => {
    text = await (await get('/metrics')).text()
    return text.includes('petstore_pets{')
  }, startTimeoutMs)
  assert.match(text, /^petstore_pets\{status="none"\} 12$/m, 'the shop is counted once')
  const stored = Number(/^petstore_writes_total\{outcome="stored"\} (\d+)$/m.exec(text)?.[1])
  assert.ok(stored >= 13 && stored < 24, `a write is counted where it is committed, not again by its worker: ${stored}`)
})

test('workers: /metrics and the sign-in answer in time when another process is stopped', async (t) => {
  if (process.platform !== 'linux') return t.skip('finds the workers in /proc')
  const { origin, key, child } = await startService(t, { args: workers })
  const { create, creates, get } = client(origin, key)
  await Promise.all(Array.from({ length: 12 }, (_, index) => create(`Rex ${index}`)))
  await until(async () => (await creates()) === '12', startTimeoutMs)
  const [first = ''] = childrenOf(child)

  process.kill(Number(first), 'SIGSTOP')
  const withoutWorker = await creates()
  process.kill(Number(first), 'SIGCONT')
  child.kill('SIGSTOP')
  const headers = { 'content-type': 'application/json' }
  const signIn = { method: 'POST', headers, body: '{"code":"any"}', signal: AbortSignal.timeout(30_000) }
  const withoutFirst = await Promise.all([get('/metrics'), fetch(`${origin}/console/sign-in`, signIn)])
  child.kill('SIGCONT')

  assert.equal(withoutWorker, '12', 'a stopped worker keeps its numbers')
  assert.deepEqual(
    withoutFirst.map(({ status }) => status),
    [503, 503],
  )
})

test('workers: SIGTERM ends all of them, with exit code 0', async (t) => {
  const { stop, origin, key } = await startService(t, { args: workers })
  await client(origin, key).get('/v1/pets')

  const code = await stop()

  assert.equal(code, 0)
  await assert.rejects(fetch(`${origin}/livez`))
})

for (const count of ['1', '2']) {
  test(`/readyz is not 200 before the first key is printed: ${count} processes`, async (t) => {
    const [cwd, port] = [temporaryFolder(t), await freePort()]
    // A file: what was printed is in it at once.
    const printed = join(cwd, 'stdout.txt')
    const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, PETSTORE_PORT: String(port) }
    const child = spawn(process.execPath, [main, 'serve', '--workers', count], {
      cwd,
      env,
      stdio: ['ignore', openSync(printed, 'w'), 'ignore'],
    })
    t.after(() => child.kill('SIGKILL'))

    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
    await until(isReady)

    assert.match(readFileSync(printed, 'utf8'), /pet_live_\w{38}/)
  })
}

test('workers: lines of the log are whole when the reader of a pipe is slow', async (t) => {
  const { child, origin, output, stop } = await startService(t, { args: workers })
  const { stderr } = child
  assert.ok(stderr !== null)
  const path = `/${'x'.repeat(1_500)}`
  const send = async (count: number) => {
    for (let index = 0; index < count; index++) {
      await (await fetch(origin + path, { headers: { connection: 'close' } })).arrayBuffer()
    }
  }

  stderr.pause()
  await Promise.all(Array.from({ length: 8 }, () => send(50)))
  stderr.resume()
  await stop()

  const lines = output.stderr.trimEnd().split('\n')
  assert.equal(lines.filter((line) => line.includes(path)).length, 400)
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line)
})

test('workers: a port that is taken is said once, with exit code 1', async (t) => {
  const { origin } = await startService(t)

  const { code, stderr } = await run(t, ['serve', ...workers], { env: { PETSTORE_PORT: new URL(origin).port } })

  assert.equal(code, 1)
  assert.match(stderr, /^petstore: Port \d+ on 127\.0\.0\.1 is taken[^\n]*\n$/)
})

for (const value of ['0', '-1', 'many', '1000', '1.5']) {
  test(`workers: --workers=${value} is refused in one sentence`, async (t) => {
    const { code, stderr } = await run(t, ['serve', `--workers=${value}`])

    assert.equal(code, 1)
    assert.equal(stderr, `petstore: --workers must be auto or an integer from 1 to 999, got "${value}".\n`)
  })
}
