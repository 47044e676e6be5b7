import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Animal, apiKey, ask } from '../../ledger/client.ts'
import { followPages, followStream } from '../../ledger/followers.ts'
import type { Life } from '../../ledger/ledger.ts'
import { startLoad } from '../../ledger/load.ts'
import { assertNothingLost, readShop } from '../../ledger/verdict.ts'
import { type Balancer, startBalancer } from '../../support/balancer.ts'
import { colorMember } from '../../support/color-version.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { nextVersion } from '../../support/next-version.ts'
import { newPostgresDatabase, runSql } from '../../support/postgres-databases.ts'
import { run, type Service, startService } from '../../support/service.ts'

// docs/upgrading.md with two builds of the service. The second has one more migration, and animals with a color.

type Colored = Animal & { color?: string }

async function animalAt(origin: string, { id }: Animal): Promise<Colored | undefined> {
  const [animal] = (await (await ask(origin, `GET /pets?id=${id}`)).json()) as Colored[]
  return animal
}

/** Adds an animal, or changes one, and writes it down in the ledger. */
async function write(origin: string, life: Life, change?: object): Promise<Colored> {
  const headers = life.isPlain ? {} : { 'idempotency-key': life.key }
  const response = await (change === undefined
    ? ask(origin, 'POST /pets', { body: life.wanted, headers })
    : ask(origin, `PATCH /pets/${life.animal?.id}`, { body: change }))
  assert.equal(response.status, change === undefined ? 201 : 200)
  life.animal = (await response.json()) as Colored
  life.acknowledged.push({ type: `petstore.pet.${change === undefined ? 'created' : 'updated'}`, data: life.animal })
  return life.animal
}

/** Starts an instance of a build, and gives it requests when it is ready. */
async function startIn(t: TestContext, balancer: Balancer, databaseUrl: string, program?: string): Promise<Service> {
  const env = {
    PETSTORE_DATABASE_URL: databaseUrl,
    PETSTORE_API_KEY: apiKey,
    PETSTORE_LOG_LEVEL: 'warn',
    // A connection that the balancer has just begun is served, too.
    PETSTORE_DRAIN_SECONDS: '1',
  }
  const service = await startService(t, { env, ...(program !== undefined && { program }) })
  balancer.targets = [...balancer.targets, service.origin]
  return service
}

async function leave(balancer: Balancer, service: Service): Promise<void> {
  balancer.targets = balancer.targets.filter((origin) => origin !== service.origin)
  assert.equal(await service.stop(), 0, service.output.stderr)
}

const lateWrite = /"reason":"(?:Nothing can be written|It is unknown)[^"]*The database did not answer in time/g

/** Writes that the database did not store within the seconds that a write has. */
function lateWrites(services: readonly Service[]): number {
  return services.flatMap(({ output }) => output.stdout.match(lateWrite) ?? []).length
}

/**
 * Commits to another database of the server, which no lock of the shop can delay. Returns how long the slowest commit
 * took: a machine on which that is seconds explains late writes, a rollout does not.
 */
async function watchServer(t: TestContext): Promise<() => number> {
  const url = await newPostgresDatabase()
  const stopped = new AbortController()
  t.after(() => stopped.abort())
  await runSql(url, 'CREATE TABLE commits (at timestamptz)')
  let slowestMs = 0
  const commit = async () => {
    while (!stopped.signal.aborted) {
      const started = performance.now()
      await runSql(url, 'INSERT INTO commits VALUES (now())')
      slowestMs = Math.max(slowestMs, performance.now() - started)
      await wait(200)
    }
  }
  void commit().catch(() => undefined)
  return () => slowestMs
}

test('postgres: a rollout under load and the way back fail no request and lose nothing', async (t) => {
  const url = await newPostgresDatabase()
  const { main: nextProgram } = await nextVersion(colorMember)
  const balancer = await startBalancer(t)
  const slowestMs = await watchServer(t)
  const services: Service[] = []
  const start = async (program?: string) => {
    const service = await startIn(t, balancer, url, program)
    services.push(service)
    return service
  }
  const verb = (...args: string[]) =>
    run(t, args, { program: nextProgram, env: { PETSTORE_DATABASE_URL: url, PETSTORE_LOG_LEVEL: 'error' } })
  let old = [await start(), await start()]
  const followers = [followStream(t, balancer.origin), followPages(t, balancer.origin)]
  const load = startLoad(t, balancer.origin)
  await load.flows()

  // Forward: first the schema, then the instances, one after the other.
  const migrated = await verb('migrate')
  assert.equal(migrated.code, 0, migrated.stderr)
  assert.deepEqual(
    await runSql(url, "SELECT attname FROM pg_attribute WHERE attrelid = 'pets'::regclass AND attname = 'color'"),
    [['color']],
  )
  const first = await start(nextProgram)
  await leave(balancer, old[0] as Service)
  const beside = old[1] as Service
  await load.flows()
  const life = load.ledger.begin()
  const plain = await write(first.origin, life)
  const colored = await write(first.origin, life, { color: 'red' })

  await t.test('while both run, the version before neither shows nor loses what only the new one knows', async () => {
    assert.deepEqual(colored, { ...plain, color: 'red' })
    assert.deepEqual(await animalAt(beside.origin, plain), plain)
    const renamed = await write(beside.origin, life, { name: 'Ruby' })
    assert.deepEqual(renamed, { ...plain, name: 'Ruby' })
    assert.deepEqual(await animalAt(first.origin, plain), { ...renamed, color: 'red' })
  })

  const next = [first, await start(nextProgram)]
  await leave(balancer, beside)
  await load.flows()

  await t.test(
    'check names the animal that the version before has changed, until it is changed once more',
    async () => {
      const found = await verb('check')
      const wrong = found.stdout.split('\n').filter((line) => line.startsWith('wrong'))
      assert.equal(wrong.length, 1, found.stdout)
      assert.match(
        wrong[0] ?? '',
        new RegExp(`\\(pet\\.updated\\) says that the animal ${plain.id} is .*, but it is .*"red"`),
      )
      await write(first.origin, life, { name: 'Ruby II' })
      const healed = await verb('check')
      assert.equal(healed.code, 0, healed.stdout)
    },
  )

  // Back: the version before, on the schema of the new one.
  old = []
  for (const service of next) {
    old.push(await start())
    await leave(balancer, service)
    await load.flows()
  }
  assert.deepEqual(await animalAt(balancer.origin, plain), { ...plain, name: 'Ruby II' })
  assert.deepEqual(await runSql(url, `SELECT color FROM pets WHERE id = ${plain.id}`), [['red']])

  // And forward again.
  const again = await start(nextProgram)
  for (const service of old) await leave(balancer, service)
  assert.deepEqual(await animalAt(again.origin, plain), { ...plain, name: 'Ruby II', color: 'red' })
  await assertNothingLost(balancer.origin, load, followers)
  const setbacks = [...load.setbacks].reduce((sum, [, count]) => sum + count, 0)
  const isSlowMachine = slowestMs() > 1_000
  assert.equal(setbacks, isSlowMachine ? lateWrites(services) : 0, JSON.stringify([...load.setbacks]))
  assert.equal((await verb('check')).code, 0)
})

test('sqlite: an upgrade under load loses nothing, and the backup is the way back', async (t) => {
  const folder = temporaryFolder(t)
  const url = `sqlite:${join(folder, 'petstore.db')}`
  const backup = join(folder, 'before-upgrade.db')
  const { main: nextProgram } = await nextVersion(colorMember)
  const balancer = await startBalancer(t)
  const env = { PETSTORE_DATABASE_URL: url, PETSTORE_LOG_LEVEL: 'error' }
  const verb = (args: string[], program?: string) => run(t, args, { env, ...(program !== undefined && { program }) })
  const old = await startIn(t, balancer, url)
  const follower = followPages(t, balancer.origin)
  const load = startLoad(t, balancer.origin)
  await load.flows()

  const before = await verb(['backup', backup])
  assert.equal(before.code, 0, before.stderr)
  await leave(balancer, old)
  const next = await startIn(t, balancer, url, nextProgram)
  await load.flows()
  const checked = await verb(['check'], nextProgram)
  assert.equal(checked.code, 0, checked.stdout + checked.stderr)
  const life = load.ledger.begin()
  const plain = await write(next.origin, life)
  assert.deepEqual(await write(next.origin, life, { color: 'red' }), { ...plain, color: 'red' })
  assert.deepEqual(await animalAt(next.origin, plain), { ...plain, color: 'red' })
  const after = await assertNothingLost(balancer.origin, load, [follower])
  await leave(balancer, next)

  await t.test('the version before refuses the migrated database in one sentence, and leaves it as it is', async () => {
    const { code, stderr } = await verb(['serve'])

    assert.equal(code, 1)
    assert.match(stderr, /^petstore: [^\n]*newer version[^\n]*\n$/)
  })

  const restored = await verb(['restore', backup, '--overwrite'])
  assert.equal(restored.code, 0, restored.stderr)
  const back = await startIn(t, balancer, url)
  const shop = await readShop(back.origin)
  const known = new Set(after.events.map((event) => event.id))
  assert.ok(shop.events.length > 0 && shop.events.length < after.events.length)
  assert.deepEqual(
    shop.events.filter((event) => !known.has(event.id)),
    [],
  )
  assert.equal(await animalAt(back.origin, plain), undefined)
  const position = after.events.at(-1)?.id ?? ''
  assert.equal((await ask(back.origin, `GET /events?after=${encodeURIComponent(position)}`)).status, 410)
  assert.equal((await verb(['check'])).code, 0)
})
