import assert from 'node:assert/strict'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { temporaryFolder } from '../../support/engines.ts'
import { assertPassed } from '../../support/promised-time.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { databaseIn, type Service, startService } from '../../support/service.ts'

function client({ origin, key }: Service) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    create: (name: string, extra: Record<string, string> = {}) =>
      fetch(`${origin}/v1/pets`, {
        method: 'POST',
        headers: { ...headers, ...extra },
        body: JSON.stringify({ name, categoryId: 1 }),
      }),
    ready: () => fetch(`${origin}/readyz`),
    list: (query = '') => fetch(`${origin}/v1/pets${query}`, { headers: { ...headers, prefer: 'count=exact' } }),
  }
}

/** A service whose database is locked by another process. */
async function startLocked(t: TestContext) {
  const folder = temporaryFolder(t)
  const service = await startService(t, { env: { PETSTORE_DATABASE_URL: databaseIn(folder) } })
  const other = new DatabaseSync(join(folder, 'petstore.db'))
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  return { ...client(service), other }
}

test('a full disk: writes are 503, reads go on, and both work again once there is room, without a restart', async (t) => {
  const folder = smallDisk(t)
  if (folder === undefined) return
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(512 * 1024))
  const service = await startService(t, { env: { PETSTORE_DATABASE_URL: databaseIn(folder) } })
  const { create, list } = client(service)

  const acknowledged: number[] = []
  let refused: Response | undefined
  for (let count = 0; count < 5_000 && refused === undefined; count++) {
    const answer = await create(`${count} ${'x'.repeat(900)}`)
    if (answer.status === 201) acknowledged.push(((await answer.json()) as { id: number }).id)
    else refused = answer
  }
  assert.equal(refused?.status, 503)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(((await refused.json()) as { code: string }).code, 'unavailable')
  assert.equal((await list()).status, 200)

  rmSync(filler)

  assert.equal((await create('after')).status, 201)
  assert.equal((await list()).headers.get('x-total-count'), String(acknowledged.length + 1))
})

test('a write lock held by another process: reads go on, writes wait for it', async (t) => {
  const { create, list, other } = await startLocked(t)

  // On a busy machine the lock may be held for longer than a write waits: again.
  for (let isInTime = false; !isInTime; ) {
    const start = performance.now()
    let answered = false
    const write = create('Rex').finally(() => (answered = true))
    for (let count = 0; count < 20; count++) assert.equal((await list(`?limit=${count + 1}`)).status, 200)
    isInTime = performance.now() - start < 2_000
    if (isInTime) assert.equal(answered, false)
    other.exec('COMMIT')

    const { status } = await write
    if (isInTime) assert.equal(status, 201)
    else other.exec('BEGIN IMMEDIATE')
  }
})

test('a write lock that another process does not let go of: writes are 503, never 500, and reads go on', async (t) => {
  const { create, list, other } = await startLocked(t)

  const answers = await Promise.all([create('Rex'), create('Tom'), create('Mia')])

  for (const answer of answers) {
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  assert.equal((await list()).headers.get('x-total-count'), '0')
  other.exec('ROLLBACK')
  assert.equal((await create('Rex')).status, 201)
})

for (const args of [[], ['--workers', '2']]) {
  const how = args.length === 0 ? 'one process' : 'workers'

  test(`${how}: a data folder that is moved away ends writes and readiness, with one line in the log`, async (t) => {
    const cwd = temporaryFolder(t)
    const service = await startService(t, { cwd, args })
    const { create, list, ready } = client(service)
    assert.deepEqual([(await create('Rex')).status, (await ready()).status], [201, 200])

    renameSync(join(cwd, 'data'), join(cwd, 'elsewhere'))
    const refused = [(await create('Tom')).status, (await ready()).status, (await create('Mia')).status]
    const read = (await list()).status
    renameSync(join(cwd, 'elsewhere'), join(cwd, 'data'))
    const well = [(await ready()).status, (await create('Ada')).status]

    assert.deepEqual([refused, read, well], [[503, 503, 503], 200, [200, 201]])
    const lines = service.output.stderr.split('\n').filter((line) => line.includes('"msg":"The files of the database'))
    assert.equal(lines.length, 1, service.output.stderr)
    assert.equal(service.output.stderr.match(/the database has recovered/g)?.length, 1)
  })
}

test('workers: while the first process is stopped, writes are answered, reads go on, and none is ready', async (t) => {
  const service = await startService(t, { args: ['--workers', '2'] })
  const { create, list, ready } = client(service)
  assert.equal((await create('Rex')).status, 201)

  service.child.kill('SIGSTOP')
  const start = performance.now()
  const answer = await create('Tom', { 'idempotency-key': 'tom' })
  assertPassed(5_000, start)
  const others = [(await list()).status, (await ready()).status]
  service.child.kill('SIGCONT')

  assert.equal(answer.status, 503)
  assert.match(((await answer.json()) as { message: string }).message, /^It is unknown whether the change was stored/)
  assert.deepEqual(others, [200, 503])
  let again = await create('Tom', { 'idempotency-key': 'tom' })
  const deadline = performance.now() + 60_000
  while (again.status !== 201 && performance.now() < deadline) again = await create('Tom', { 'idempotency-key': 'tom' })
  assert.equal(((await again.json()) as { id: number }).id, 2)
  assert.equal((await list()).headers.get('x-total-count'), '2')
})
