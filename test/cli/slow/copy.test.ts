import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { kinds } from '../../../src/inventory/snapshot.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { postgres, sqlite, temporaryFolder } from '../../support/engines.ts'
import { rowsIn } from '../../support/snapshot.ts'
import { runSql } from '../../support/postgres-databases.ts'
import { type Ran, run, type Service, startCommand, startService } from '../../support/service.ts'
import { addMany, awkwardNames, fillShop } from '../../support/awkward-shop.ts'

test('copy prints rows and SHA-256 of every table, and says what it did', async (t) => {
  const [from, to] = [await sqlite.url(t), await postgres.url(t)]
  await fillShop(from)

  const first = await copy(t, from, to)
  const again = await copy(t, from, to)

  assert.deepEqual([first.code, first.stderr], [0, ''])
  const lines = first.stdout.trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^TABLE +ROWS +SHA-256$/)
  const [, ...tables] = lines.slice(0, kinds.length + 1)
  for (const [place, kind] of kinds.entries()) {
    assert.match(tables[place] ?? '', new RegExp(`^${kind} +[\\d,]+ +[0-9a-f]{64}$`))
  }
  assert.match(
    lines.at(-3) ?? '',
    /^Copied \d+ rows from sqlite:\S+ to postgres:\S+ in [\d.]+ s: both databases are equal\.$/,
  )
  assert.match(lines.at(-2) ?? '', /^\d+ webhooks are disabled now, so that no event is sent from two shops: /)
  assert.match(lines.at(-1) ?? '', /^\d+ open invitations have ended, so that none works twice: invite again\.$/)
  assert.doesNotMatch(first.stdout, /whsec_/)
  assert.equal(again.code, 0)
  assert.match(
    again.stdout,
    /\nEverything is already copied from sqlite:\S+ to postgres:\S+: both databases are equal\.\n$/,
  )
  assert.deepEqual(tables, again.stdout.split('\n').slice(1, kinds.length + 1))
})

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
] as const) {
  test(`after a copy from ${from.name} to ${to.name} the service answers the same, byte for byte, and goes on`, async (t) => {
    const [source, target] = [await from.url(t), await to.url(t)]
    const before = await serve(t, source)
    const revoked = await makeKey(t, source, 'revoked')
    await run(t, ['keys', 'revoke', 'revoked'], { env: { PETSTORE_DATABASE_URL: source } })
    await fillByRequests(before)
    const asked = await answersOf(before, revoked)
    await before.stop()

    const ran = await copy(t, source, target)
    assert.equal(ran.code, 0, ran.stderr)
    const after = await serve(t, target, before.key)

    assert.deepEqual(await answersOf(after, revoked), asked)
    const ids = JSON.parse((await send(after, 'POST', '/v1/pets', { name: 'next', categoryId: 1 })).body) as {
      id: number
    }
    assert.equal(ids.id, awkwardNames.length + 3, 'the highest id belonged to an animal that is gone')
    const events = JSON.parse((await send(after, 'GET', '/v1/events?limit=100')).body) as { sequence: string }[]
    assert.deepEqual(
      events.map(({ sequence }) => Number(sequence)),
      events.map((_event, index) => index + 1),
    )
  })
}

test('sqlite: a copy that is killed goes on when it is run again, and the target serves nobody meanwhile', async (t) => {
  const [from, to] = [await sqlite.url(t), await sqlite.url(t)]
  await addMany(from, 22_000)
  await (await openStorage(to)).close()
  const db = new DatabaseSync(to.slice('sqlite:'.length), { timeout: 10_000 })
  // An animal that takes so long to add that no copy gets past it.
  db.exec(`
    CREATE TRIGGER endless BEFORE INSERT ON pets WHEN NEW.id = 10500 BEGIN
      SELECT count(*) FROM (
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000000000) SELECT i FROM n
      );
    END`)

  await killWhen(t, from, to, () => db.prepare('SELECT 1 FROM pets WHERE id = 10000').get() !== undefined)
  db.exec('DROP TRIGGER endless')
  const half = db.prepare('SELECT count(*) AS pets FROM pets').get()?.['pets']
  db.close()
  const served = await run(t, ['serve'], { env: { PETSTORE_DATABASE_URL: to, PETSTORE_PORT: '0' } })
  const resumed = await copy(t, from, to)

  assert.equal(half, 10_000)
  assertRefused(
    served,
    /^petstore: The database \S+ contains an unfinished copy: run the same petstore copy again .*\.\n$/,
  )
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.match(resumed.stdout, /\nCopied 34,001 rows /)
  assert.deepEqual(await rowsIn(to), await rowsIn(from))
})

test('postgres: a copy that is killed, or that loses the database, goes on when it is run again', async (t) => {
  const [from, to] = [await sqlite.url(t), await postgres.url(t)]
  await addMany(from, 22_000)
  await (await openStorage(to)).close()
  const sleeping = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
  const isSleeping = async () => (await runSql(to, sleeping)).length > 0
  const endSleep = () => runSql(to, `SELECT pg_terminate_backend(pid, 5000) FROM (${sleeping}) AS found`)
  t.after(() => runSql(to, 'ALTER TABLE pets DROP CONSTRAINT IF EXISTS endless'))
  await runSql(to, 'ALTER TABLE pets ADD CONSTRAINT endless CHECK (id <> 10500 OR pg_sleep(600)::text IS NOT NULL)')

  await killWhen(t, from, to, isSleeping)
  await endSleep()
  const { child, output } = startCommand(t, ['copy', '--from', from, '--to', to])
  const closed = once(child, 'close')
  while (!(await isSleeping())) await wait(20)
  await endSleep()
  const [code] = await closed
  await runSql(to, 'ALTER TABLE pets DROP CONSTRAINT endless')
  const resumed = await copy(t, from, to)

  assertRefused(
    { code, ...output },
    /^petstore: The copy was interrupted \(.*\): run the same command again to resume it\.\n$/,
  )
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.match(resumed.stdout, /\nCopied 34,001 rows /)
  assert.deepEqual(await rowsIn(to), await rowsIn(from))
})

test('copy from a database that a service writes to is pointed out with exit code 1', async (t) => {
  const [from, to] = [await sqlite.url(t), await sqlite.url(t)]
  await fillShop(from)
  await addMany(from, 30_000)
  const over = new AbortController()
  const storage = await openStorage(from)
  t.after(() => storage.close())
  const writing = (async () => {
    while (!over.signal.aborted) await storage.pets.create({ name: 'late', categoryId: 1n })
  })()

  const ran = await copy(t, from, to)
  over.abort()
  await writing

  assertRefused(ran, /^petstore: The database \S+ was changed during the copy: stop the service and .*\.\n$/)
})

for (const [options, refusal] of [
  [
    ['--from', 'sqlite:./shop.db', '--to', 'mysql://x'],
    /^petstore: --to must be sqlite: and a path, or .*, got "mysql:\/\/x"\.\n$/,
  ],
  [['--from', 'shop.db', '--to', 'sqlite:./new.db'], /^petstore: --from must be sqlite: .*, got "shop\.db"\.\n$/],
  [
    ['--from', 'sqlite:./nowhere.db', '--to', 'sqlite:./new.db'],
    /^petstore: There is no database \.\/nowhere\.db to copy\.\n$/,
  ],
  [['--from', 'sqlite::memory:', '--to', 'sqlite:./new.db'], /^petstore: An in-memory database .*\.\n$/],
  [
    ['--from', 'sqlite:./shop.db', '--to', 'sqlite:shop.db'],
    /^petstore: sqlite:shop\.db cannot be copied into itself\.\n$/,
  ],
  [
    ['--from', 'sqlite:./shop.db', '--to', 'sqlite:./other.db'],
    /^petstore: The database \S+ is not empty: copy into a new one\.\n$/,
  ],
] as const) {
  test(`copy ${options.join(' ')} is refused in one sentence`, async (t) => {
    const cwd = temporaryFolder(t)
    await fillShop(`sqlite:${join(cwd, 'shop.db')}`)
    await addMany(`sqlite:${join(cwd, 'other.db')}`, 1)

    assertRefused(await run(t, ['copy', ...options], { cwd }), refusal)
    assert.ok(!existsSync(join(cwd, 'new.db')) && !existsSync(join(cwd, 'nowhere.db')))
  })
}

test('copy shows no password', async (t) => {
  const url = new URL(await postgres.url(t))
  url.password = 'top-secret'
  const from = await sqlite.url(t)
  await fillShop(from)

  const ran = await Promise.all([
    copy(t, from, 'postgres://rex:top-secret@127.0.0.1:1/petstore'),
    copy(t, 'postgres://rex:top-secret@127.0.0.1:1/petstore', from),
    copy(t, from, 'postgres://rex:top-secret@127.0.0.1'),
    copy(t, url.href, url.href),
  ])
  const done = await copy(t, from, url.href)
  const refused = await copy(t, url.href, from)

  assert.deepEqual(
    [...ran, done].map(({ code }) => code),
    [1, 1, 1, 1, 0],
  )
  for (const { stdout, stderr } of [...ran, done, refused]) {
    assert.doesNotMatch(stdout + stderr, /top-secret/)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

test('copy --help has an example', async (t) => {
  const { code, stdout } = await run(t, ['copy', '--help'])

  assert.equal(code, 0)
  assert.match(stdout, /petstore copy --from sqlite:\S+ --to postgres:\/\/\S+/)
})

function copy(t: TestContext, from: string, to: string): Promise<Ran> {
  return run(t, ['copy', '--from', from, '--to', to])
}

/** Kills a copy once it is in the middle of what it cannot get past. */
async function killWhen(
  t: TestContext,
  from: string,
  to: string,
  isThere: () => boolean | Promise<boolean>,
): Promise<void> {
  const { child, output } = startCommand(t, ['copy', '--from', from, '--to', to])
  const closed = once(child, 'close')
  while (!(await isThere())) {
    assert.equal(child.exitCode, null, `the copy ended by itself: ${output.stderr}`)
    await wait(10)
  }
  child.kill('SIGKILL')
  await closed
}

async function serve(t: TestContext, url: string, key?: string): Promise<Service> {
  const env = { PETSTORE_DATABASE_URL: url, PETSTORE_BASE_URL: 'https://shop.example/v1', PETSTORE_LOG_LEVEL: 'silent' }
  const service = await startService(t, { env })
  return key === undefined ? service : { ...service, key }
}

async function makeKey(t: TestContext, url: string, name: string): Promise<string> {
  const args = ['keys', 'create', '--name', name, '--json']
  const { stdout } = await run(t, args, { env: { PETSTORE_DATABASE_URL: url } })
  return (JSON.parse(stdout) as { key: string }).key
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Headers that are never the same twice, or belong to the connection. */
const ofOneAnswer = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding'])

async function send(
  { origin, key }: Pick<Service, 'origin' | 'key'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ofOneAnswer.has(name))),
    body: await response.text(),
  }
}

const attempt = { 'idempotency-key': 'made before the move' }

async function fillByRequests(service: Service): Promise<void> {
  for (const name of awkwardNames) await send(service, 'POST', '/v1/pets', { name, categoryId: 1, status: 'available' })
  await send(service, 'POST', '/v1/pets', { name: 'once', categoryId: 2 }, attempt)
  await send(service, 'POST', '/v1/store/orders', { petId: 1 })
  await send(service, 'PUT', '/v1/categories/1', { name: 'Dogs' })
  const { body } = await send(service, 'POST', '/v1/pets', { name: 'gone', categoryId: 1 })
  await send(service, 'DELETE', `/v1/pets/${(JSON.parse(body) as { id: number }).id}`)
}

/** What a service says to a set of requests that change nothing. */
async function answersOf(service: Service, revoked: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const path of [
    '/v1/pets?limit=100',
    '/v1/pets?limit=3',
    '/v1/pets?status=pending',
    '/v1/pets?categoryId=2',
    '/v1/pets/1',
    '/v1/pets/9999',
    '/v1/store/orders',
    '/v1/categories',
    '/v1/events?limit=100',
  ]) {
    answers.push(await send(service, 'GET', path, undefined, { prefer: 'count=exact' }))
  }
  const replay = await send(service, 'POST', '/v1/pets', { name: 'once', categoryId: 2 }, attempt)
  const other = await send(service, 'POST', '/v1/pets', { name: 'other', categoryId: 2 }, attempt)
  const refused = await send({ origin: service.origin, key: revoked }, 'GET', '/v1/pets')
  assert.deepEqual([replay.status, refused.status], [201, 401])
  return [...answers, replay, other, refused]
}

function assertRefused({ code, stdout, stderr }: Ran, sentence: RegExp): void {
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, sentence)
}
