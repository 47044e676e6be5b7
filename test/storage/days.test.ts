import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Day } from '../../src/contract/day.ts'
import { dayOfDate } from '../../src/inventory/days.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { checkStorage } from '../../src/storage/check/check.ts'
import { copyStorage } from '../../src/storage/copy/copy.ts'
import { openStorage } from '../../src/storage/open.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { sqliteDays } from '../../src/storage/sqlite/ports/days.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { groupCommit } from '../../src/storage/sqlite/writes/writes.ts'
import { engines, postgres, sqlite, temporaryFolder } from '../support/engines.ts'

const first = dayOfDate('2026-01-05')
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

for (const engine of engines) {
  test(`${engine.name}: every change is counted on its day, also without events, and a refused one is not`, async (t) => {
    let now = '2026-01-05T23:59:59.999Z'
    const storage = await engine.open(t, () => Date.parse(now))
    await fillDays(storage, (time) => (now = time))

    assert.deepEqual(await storage.days.list(first, first + 3), expected)
    while ((await storage.events.forget(Date.parse('2027-01-01T00:00:00Z'), Date.parse('2027-01-01T00:00:00Z'))) > 0);
    assert.deepEqual((await storage.events.list(1)).items, [])
    assert.deepEqual(await storage.days.list(first, first + 3), expected)
  })
}

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
] as const) {
  test(`a copy from ${from.name} to ${to.name} has the same days, and check finds no fault in them`, async (t) => {
    const [source, target] = [await from.url(t), await to.url(t)]
    let now = '2026-01-05T23:59:59.999Z'
    const storage = await openStorage(source, { environment: 'production', clock: () => Date.parse(now) })
    await fillDays(storage, (time) => (now = time))
    await storage.close()

    await copyStorage(source, target, () => undefined)

    const copy = await openStorage(target)
    t.after(() => copy.close())
    assert.deepEqual(await copy.days.list(first, first + 3), expected)
    for await (const { name, result, sentences } of checkStorage(target, 'production')) {
      if (name === 'days') assert.deepEqual([result, sentences.length], ['ok', 1])
    }
  })
}

test('sqlite: a write that fails in a group is not counted, the others are', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  const db = openForWriting(path)
  t.after(() => db.close())
  migrate(db, path)
  const at = Date.parse('2026-01-05T12:00:00Z')

  const results = groupCommit(db)([
    ['createPet', { pet: rex, at }],
    ['createPet', { pet: { ...rex, categoryId: 'one' }, at }],
    ['createPet', { pet: rex, at }],
  ])

  assert.deepEqual(
    results.map((result) => 'failure' in result),
    [false, true, false],
  )
  assert.deepEqual(
    (await sqliteDays(db).list(first, first)).map(({ added }) => added),
    [2n],
  )
})

const expected: Day[] = [
  { date: '2026-01-05', added: 3n, removed: 0n, ordered: 1n, completed: 0n, cancelled: 0n },
  { date: '2026-01-06', added: 1n, removed: 0n, ordered: 1n, completed: 1n, cancelled: 1n },
  { date: '2026-01-07', added: 0n, removed: 0n, ordered: 0n, completed: 0n, cancelled: 0n },
  { date: '2026-01-08', added: 0n, removed: 2n, ordered: 0n, completed: 0n, cancelled: 0n },
]

/** On 5, 6 and 8 January; the clock is at the end of the first. */
async function fillDays({ pets, orders, imports }: Storage, setClock: (time: string) => void): Promise<void> {
  await pets.create(rex)
  await imports.add([rex, rex])
  await orders.place({ petId: 1n })
  setClock('2026-01-06T00:00:00.000Z')
  const key = { keyId: 'key_a', name: 'once', fingerprint: 'f' }
  await pets.create(rex, key)
  await pets.create(rex, key)
  await orders.update(1n, { status: 'cancelled' })
  await orders.place({ petId: 2n })
  await orders.place({ petId: 2n })
  await orders.update(2n, { status: 'completed', customer: 'Ada' })
  await orders.update(2n, { customer: 'Grace' })
  await pets.update(3n, { name: 'Tom' })
  setClock('2026-01-08T00:00:00.000Z')
  await pets.remove(3n)
  await pets.changeMany({ filter: { ids: [1n] }, change: 'delete' })
}
