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

    assert.deepEqual(await countMatching(storage, { categoryId: 1n }, 10), { matching: 2, more: false })
    assert.deepEqual(await countMatching(storage, filter, 10), { matching: 0, more: false })
  })
}
