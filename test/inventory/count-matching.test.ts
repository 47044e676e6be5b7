import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countMatching } from '../../src/inventory/count-matching.ts'
import { canCount } from '../../src/inventory/pets.ts'
import { engines } from '../support/engines.ts'

test('animals are counted by id, ids, category and status, alone and together, and by nothing else', () => {
  const counted = { id: 1n, ids: [1n], categoryId: 1n, status: 'none' } as const

  for (const filter of [{}, counted, ...Object.entries(counted).map(([name, value]) => ({ [name]: value }))]) {
    assert.ok(canCount(filter), Object.keys(filter).join())
  }
  for (const filter of [{ name: 'rex' }, { importId: 'a' }]) {
    assert.ok(!canCount(filter))
    assert.ok(!canCount({ ...counted, ...filter }))
  }
})

for (const engine of engines) {
  test(`${engine.name}: of a filter that is not counted the animals are looked through`, async (t) => {
    const storage = await engine.open(t)
    await storage.pets.create({ name: 'Rex', categoryId: 1n })
    await storage.pets.create({ name: 'Tom', categoryId: 1n })
    // A member that a bulk change does not have yet.
    const filter = { importId: 'no such import', categoryId: 1n }

    const range = { after: 0n, upTo: 2n }

    assert.deepEqual(await countMatching(storage, { filter: { categoryId: 1n }, max: 10 }), {
      matching: 2,
      more: false,
      range,
    })
    assert.deepEqual(await countMatching(storage, { filter, max: 10 }), { matching: 0, more: false, range })
  })

  test(`${engine.name}: animals that were added after the range are not counted, however many they are`, async (t) => {
    const storage = await engine.open(t)
    await storage.pets.create({ name: 'Rex', categoryId: 1n })
    const { range } = await countMatching(storage, { filter: { categoryId: 1n }, max: 10 })
    await storage.imports.add(Array.from({ length: 20 }, () => ({ name: 'Tom', categoryId: 1n })))

    for (const filter of [{ categoryId: 1n }, { name: 'rex' }, { ids: [1n, 2n] }]) {
      assert.deepEqual(await countMatching(storage, { filter, range, max: 10 }), { matching: 1, more: false, range })
    }
  })
}
