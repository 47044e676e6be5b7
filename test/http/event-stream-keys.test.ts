import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Keys } from '../../src/inventory/keys.ts'
import { keyHash, newKeyId, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { Clock } from '../../src/inventory/clock.ts'
import { openStorage } from '../../src/storage/open.ts'
import { startApp } from '../support/app.ts'
import { type Engine, postgres, sqlite, sqliteInMemory } from '../support/engines.ts'
import { followEvents } from '../support/event-stream.ts'
import { until } from '../support/until.ts'
import { assertPassed } from '../support/promised-time.ts'

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a key revoked on another instance ends only its own streams, within a second`, async (t) => {
    const { here, there } = await startTwo(t, engine)
    const { id, secret } = await here.makeKey({ permission: 'read' })
    const theirs = await Promise.all([1, 2, 3].map(() => followEvents(t, { ...here, key: secret })))
    const mine = await followEvents(t, here)

    const started = performance.now()
    await there.keys.revoke(id, Date.now())
    const ends = await Promise.all(theirs.map(({ ended }) => ended))

    assertPassed(1_000, started)
    assert.deepEqual(ends, [true, true, true])
    assert.deepEqual(here.streams, { open: 1, ended: ['key', 'key', 'key'] })
    await here.create({ name: 'Rex', categoryId: 1 })
    await mine.until(() => mine.events.length === 1)
  })

  test(`${engine.name}: a stream opened with a just revoked key ends within a second`, async (t) => {
    const { here, there } = await startTwo(t, engine)
    const { id, secret } = await here.makeKey({ permission: 'read' })
    const headers = { authorization: `Bearer ${secret}` }
    assert.equal((await here.send('/v1/pets', { headers })).status, 200)

    const started = performance.now()
    await there.keys.revoke(id, Date.now())
    while ((await here.send('/v1/pets', { headers })).status === 200) {
      const stream = await followEvents(t, { ...here, key: secret })
      if (stream.answer.statusCode === 200) await stream.ended
    }

    assertPassed(1_000, started)
  })

  test(`${engine.name}: the streams of a key rotated on another instance end after its grace`, async (t) => {
    const clock = { now: Date.parse('2027-01-01T00:00:00Z') }
    const { here, there } = await startTwo(t, engine, () => clock.now)
    const { id, secret } = await here.makeKey({ permission: 'read' })
    const stream = await followEvents(t, { ...here, key: secret })
    const replacement = newKeySecret('production')

    await there.keys.rotate(
      id,
      { id: newKeyId(), name: 'next', permission: 'read', hash: keyHash(replacement), createdAt: clock.now },
      clock.now + 60_000,
    )
    const next = await followEvents(t, { ...here, key: replacement })
    await here.create({ name: 'Rex', categoryId: 1 })
    await stream.until(() => stream.events.length === 1)
    const started = performance.now()
    clock.now += 60_000
    await stream.ended

    assertPassed(1_000, started)
    assert.deepEqual(here.streams, { open: 1, ended: ['key'] })
    next.leave()
  })
}

test('the streams of an expired key end within a second', async (t) => {
  const clock = { now: 1_000 }
  const app = await startApp(t, { clock: () => clock.now })
  const { secret } = await app.makeKey({ expiresAt: 2_000 })
  const stream = await followEvents(t, { ...app, key: secret })

  const started = performance.now()
  clock.now = 2_000

  assert.equal(await stream.ended, true)
  assertPassed(1_000, started)
})

test('the stream of a revoked key tells its client to reconnect at once, which is refused', async (t) => {
  const { origin, makeKey, storage } = await startApp(t)
  const { id, secret } = await makeKey()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${secret}` }
  const stream = await fetch(`${origin}/v1/events`, { headers })

  await storage.keys.revoke(id, Date.now())

  assert.match(await stream.text(), /\n\nretry: 0\n\n$/)
  assert.equal((await fetch(`${origin}/v1/events`, { headers })).status, 401)
})

test('streams with PETSTORE_API_KEY stay open', async (t) => {
  const secret = 'a-key-of-the-operators-own'
  const key = { id: 'own_1', name: 'own', permission: 'write', createdAt: 0 } as const
  const { storage, lookUps } = await countingLookUps(t)
  const app = await startApp(t, { storage, ownKey: { hash: keyHash(secret), key } })
  const own = await followEvents(t, { ...app, key: secret })
  const { id, secret: other } = await app.makeKey()
  const stored = await followEvents(t, { ...app, key: other })

  await app.storage.keys.revoke(id, Date.now())
  await stored.ended

  assert.equal(app.streams.open, 1)
  assert.ok(lookUps.flat().every((each) => each === id))
  own.leave()
})

test('each key is looked up once for all its streams, and only after a commit', async (t) => {
  const { storage, lookUps } = await countingLookUps(t)
  let versions = 0
  const version = () => {
    versions++
    return storage.version()
  }
  const app = await startApp(t, { storage: { ...storage, version } })
  const keys = [await app.makeKey(), await app.makeKey()]
  const streams = keys.flatMap(({ secret }) =>
    Array.from({ length: 50 }, () => followEvents(t, { ...app, key: secret })),
  )
  await Promise.all(streams)
  // Every check asks for the version. The one under way may have begun before the last stream was there.
  const checks = async (count: number) => {
    const before = versions
    await until(() => versions >= before + count)
  }
  await checks(2)
  assert.ok(lookUps.length > 0)
  lookUps.length = 0
  await checks(2)
  assert.deepEqual(lookUps, [])

  await app.create({ name: 'Rex', categoryId: 1 })
  await until(() => lookUps.length > 0)

  assert.deepEqual(
    lookUps.map((ids: readonly string[]) => ids.toSorted()),
    [keys.map(({ id }) => id).toSorted()],
  )
})

test('a temporary storage failure ends no stream', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let isBroken = false
  let failed = 0
  const keys: Keys = {
    ...storage.keys,
    findByIds(ids) {
      if (!isBroken) return storage.keys.findByIds(ids)
      failed++
      return Promise.reject(new Error('the disk is gone'))
    },
  }
  const app = await startApp(t, { storage: { ...storage, keys } })
  const { id, secret } = await app.makeKey()
  const stream = await followEvents(t, { ...app, key: secret })

  isBroken = true
  await app.storage.keys.revoke(id, Date.now())
  await until(() => failed > 1)
  assert.equal(app.streams.open, 1)
  isBroken = false

  assert.equal(await stream.ended, true)
})

/** The edge, and another instance of the storage that it stands on. */
async function startTwo(t: TestContext, engine: Engine, clock: Clock = Date.now) {
  const url = await engine.url(t)
  const [storage, there] = await Promise.all([openStorage(url), openStorage(url)])
  t.after(() => Promise.all([storage.close(), there.close()]))
  return { here: await startApp(t, { storage, clock }), there }
}

async function countingLookUps(t: TestContext) {
  const storage = await sqliteInMemory.open(t)
  const lookUps: (readonly string[])[] = []
  const keys: Keys = {
    ...storage.keys,
    findByIds(ids) {
      lookUps.push(ids)
      return storage.keys.findByIds(ids)
    },
  }
  return { storage: { ...storage, keys }, lookUps }
}
