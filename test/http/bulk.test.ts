import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BulkForecast, BulkResult } from '../../src/contract/bulk.ts'
import { startApp } from '../support/app.ts'
import { postgres, sqlite, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const path = 'POST /v1/pets/bulk'

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: bulkChangePets tells what was changed, what stayed and who has an open order`, async (t) => {
    const app = await startApp(t, { engine })
    for (const status of ['available', 'sold', 'available']) await app.create({ name: 'Rex', categoryId: 1, status })
    await app.sendJson('POST /v1/store/orders', { petId: 3 })

    const answer = await app.sendJson(path, { filter: { ids: [1, 2, 3] }, change: { status: 'sold' } })

    const message = 'The animal has an open order: complete or cancel that first.'
    assert.equal(answer.text, `{"changed":1,"unchanged":1,"refused":1,"refusals":[{"id":3,"message":"${message}"}]}`)
    assert.deepEqual([answer.status, answer.headers.get('stability')], [200, 'experimental'])
    const events = (await app.send('/v1/events?petId=1')).body as { type: string; keyname: string }[]
    assert.deepEqual(
      events.map(({ type, keyname }) => [type, keyname]),
      [
        ['petstore.pet.created', 'test'],
        ['petstore.pet.updated', 'test'],
      ],
    )
  })

  test(`${engine.name}: next leads through all animals; a retry with the same key does nothing twice`, async (t) => {
    const app = await startApp(t, { engine })
    await app.storage.imports.add(
      Array.from({ length: 1_500 }, () => ({ name: 'Rex', categoryId: 1n, status: 'available' as const })),
    )
    const body = { filter: { status: 'available' }, delete: true }

    const first = await app.sendJson(path, body, { 'idempotency-key': 'one' })
    const repeated = await app.sendJson(path, body, { 'idempotency-key': 'one' })
    const { next } = first.body as BulkResult
    const other = await app.sendJson(path, { ...body, cursor: next }, { 'idempotency-key': 'one' })
    const last = await app.sendJson(path, { ...body, cursor: next }, { 'idempotency-key': 'two' })

    assert.deepEqual([repeated.text, repeated.headers.get('idempotent-replayed')], [first.text, 'true'])
    assertError(other, 'idempotency_mismatch')
    assert.deepEqual(last.body, { changed: 500, unchanged: 0, refused: 0, refusals: [] })
    assert.equal(await app.storage.pets.count({}), 0n)
  })
}

const change = { status: 'sold' }
for (const [name, body, field] of [
  ['no filter', { change }, 'filter'],
  ['an empty filter', { filter: {}, change }, 'filter'],
  ['a filter that is an array', { filter: [1], change }, 'filter'],
  ['an unknown member of the filter', { filter: { categoryId: 1, statsu: 'sold' }, change }, 'filter'],
  ['an unknown status', { filter: { status: 'SOLD' }, change }, 'filter'],
  ['no ids', { filter: { ids: [] }, change }, 'filter'],
  ['ids that are texts', { filter: { ids: ['1'] }, change }, 'filter'],
  ['a filter for animals without a status', { filter: { status: null }, change }, 'filter'],
  ['a name without a word', { filter: { name: '+' }, change }, 'filter'],
  ['neither change nor delete', { filter: { ids: [1] } }, 'change'],
  ['change and delete', { filter: { ids: [1] }, change, delete: true }, 'change'],
  ['an empty change', { filter: { ids: [1] }, change: {} }, 'change'],
  ['another name', { filter: { ids: [1] }, change: { name: 'Tom' } }, 'change'],
  ['delete false', { filter: { ids: [1] }, delete: false }, 'delete'],
  ['a cursor with dryRun', { filter: { ids: [1] }, change, dryRun: true, cursor: 'a' }, 'cursor'],
  ['dryRun false', { filter: { ids: [1] }, change, dryRun: false }, 'dryRun'],
  ['an invented cursor', { filter: { ids: [1] }, change, cursor: 'a' }, 'cursor'],
] as const) {
  test(`a bulk change refuses ${name}, and changes nothing`, async (t) => {
    const app = await startApp(t)
    await app.create({ name: 'Rex', categoryId: 1, status: 'available' })

    const answer = await app.sendJson(path, body)

    assertError(answer, 'invalid_body')
    assert.equal(answer.headers.get('invalid-fields'), field)
    assert.equal((await app.storage.pets.find(1n))?.status, 'available')
  })
}

test('the message about a filter or a change names each member that is wrong, and what is allowed', async (t) => {
  const app = await startApp(t)
  const messageOf = async (body: object) => ((await app.sendJson(path, body)).body as { message: string }).message

  assert.equal(
    await messageOf({ filter: { status: 'SOLD', ids: [] }, change: { categoryId: '1' } }),
    'status in filter must be one of available, pending, sold. ' +
      'ids in filter must be an array of at least 1, each an integer from -9223372036854775808 to 9223372036854775807. ' +
      'categoryId in change must be an integer from -9223372036854775808 to 9223372036854775807.',
  )
  assert.equal(
    await messageOf({ filter: { id: 1 }, change }),
    'Unknown member in filter: "id". Known: status, categoryId, name, ids.',
  )
  assert.equal(await messageOf({ filter: [], change }), 'filter must be an object.')
})

test('dry runs hold one state at a time, so that many of them leave others for searches', async (t) => {
  const storage = await sqlite.open(t)
  let [held, most] = [0, 0]
  const atOneState: typeof storage.atOneState = async (read, caller) => {
    most = Math.max(most, ++held)
    try {
      return await storage.atOneState(read, caller)
    } finally {
      held--
    }
  }
  const app = await startApp(t, { storage: { ...storage, atOneState } })
  const { secret } = await app.makeKey({ permission: 'write' })
  const keys = Array.from({ length: 10 }, (_none, index) => (index % 2 === 0 ? app.key : secret))

  const counted = await Promise.all(
    keys.map((key) =>
      app.sendJson(path, { filter: { name: 'rex' }, delete: true, dryRun: true }, { authorization: `Bearer ${key}` }),
    ),
  )

  assert.deepEqual(new Set(counted.map(({ status }) => status)), new Set([200]))
  assert.equal(most, 1)
})

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: a dry run counts up to 10,000 animals, changes nothing and uses no idempotency key`, async (t) => {
    const app = await startApp(t, { engine })
    await app.storage.imports.add(Array.from({ length: 10_001 }, () => ({ name: 'Rex', categoryId: 1n })))
    await app.storage.imports.add(Array.from({ length: 250 }, () => ({ name: 'Tom', categoryId: 2n })))
    const key = { 'idempotency-key': 'one' }
    const ids = Array.from({ length: 300 }, (_none, at) => 10_001 + at)
    const count = async (filter: object) => {
      const { body } = await app.sendJson(path, { filter, delete: true, dryRun: true }, key)
      const { cursor, ...counted } = body as BulkForecast
      assert.match(cursor, /^[\w-]{1,64}$/)
      return counted
    }

    assert.deepEqual(await count({ categoryId: 2 }), { matching: 250, more: false })
    assert.deepEqual(await count({ categoryId: 1 }), { matching: 10_000, more: true })
    assert.deepEqual(await count({ name: 'tom' }), { matching: 250, more: false })
    assert.deepEqual(await count({ ids: [...ids, 10_001], categoryId: 2 }), { matching: 250, more: false })
    assert.deepEqual(await count({ status: 'sold' }), { matching: 0, more: false })
    assert.equal(await app.storage.pets.count({}), 10_251n)
    const done = await app.sendJson(path, { filter: { ids: [1] }, delete: true }, key)
    assert.equal(done.headers.get('idempotent-replayed'), null)
  })

  for (const [name, filter] of [
    ['a category', { categoryId: 1 }],
    ['a name', { name: 'rex' }],
    ['ids', { ids: [1, 2, 3, 4, 5, 6] }],
  ] as const) {
    test(`${engine.name}: the cursor of a dry run by ${name} leaves out animals that are added later`, async (t) => {
      const app = await startApp(t, { engine })
      const add = (count: number) =>
        app.storage.imports.add(Array.from({ length: count }, () => ({ name: 'Rex', categoryId: 1n })))
      await add(4)
      const count = async (cursor?: string) =>
        (await app.sendJson(path, { filter, delete: true, dryRun: true, cursor })).body as BulkForecast
      const { matching, cursor } = await count()
      assert.equal(matching, 4)
      await app.sendJson('PATCH /v1/pets/1', { name: 'Tom', categoryId: 2 })
      await add(2)

      const now = await count(cursor)
      const change = { categoryId: 9 }
      const done = (await app.sendJson(path, { filter, change, cursor })).body as BulkResult

      const expected = name === 'ids' ? 4 : 3
      assert.deepEqual(now, { matching: expected, more: false, cursor })
      assert.deepEqual([done.changed, done.next], [expected, undefined])
      assert.equal(await app.storage.pets.count({ categoryId: 1n }), 2n)
      // It belongs to the filter.
      assertError(await app.sendJson(path, { filter: { status: 'sold' }, change, cursor }), 'invalid_body')
    })
  }
}

test('a cursor of a bulk change belongs to its filter and its change', async (t) => {
  const app = await startApp(t)
  await app.storage.imports.add(Array.from({ length: 1_001 }, () => ({ name: 'Rex', categoryId: 1n })))
  const body = { filter: { categoryId: 1 }, change: { status: 'pending' } }
  const { next: cursor } = (await app.sendJson(path, body)).body as BulkResult

  for (const other of [
    { filter: { categoryId: 1 }, delete: true },
    { ...body, change },
    { ...body, filter: { categoryId: 1, name: 'rex' } },
  ]) {
    assertError(await app.sendJson(path, { ...other, cursor }), 'invalid_body')
  }
  assert.equal(((await app.sendJson(path, { ...body, cursor })).body as BulkResult).changed, 1)
})

test('a read key changes no animals: 403', async (t) => {
  const app = await startApp(t)
  const { secret } = await app.makeKey({ permission: 'read' })

  const answer = await app.sendJson(path, { filter: { ids: [1] }, change }, { authorization: `Bearer ${secret}` })

  assertError(answer, 'forbidden')
})

test('/pets/bulk has its own methods', async (t) => {
  const app = await startApp(t)

  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answer = await app.send('/v1/pets/bulk', { method })
    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'OPTIONS, POST')
  }
})

test('animals without a status are changed by their ids, which a list without=status has', async (t) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1, status: 'sold' })
  await app.create({ name: 'Tom', categoryId: 1 })

  const listed = (await app.send('/v1/pets?without=status')).body as { id: number }[]
  const { body } = await app.sendJson(path, { filter: { ids: listed.map(({ id }) => id) }, change })

  assert.equal((body as BulkResult).changed, 1)
  assert.deepEqual((await app.send('/v1/pets?without=status')).body, [])
})
