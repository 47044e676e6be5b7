import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { created, isUnavailable, rex } from '../support/stored-pets.ts'

for (const engine of engines) {
  test(`${engine.name}: check resolves while the engine serves`, async (t) => {
    const storage = await engine.open(t)

    await assert.doesNotReject(storage.check())
  })

  test(`${engine.name}: check rejects if the storage is closed`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(storage.check(), isUnavailable)
  })

  test(`${engine.name}: close finishes pending creates`, async (t) => {
    const storage = await engine.open(t)
    const begun = Array.from({ length: 20 }, () => storage.pets.create(rex))

    await storage.close()

    const creations = await Promise.all(begun)
    assert.equal(new Set(creations.map((creation) => created(creation).pet.id)).size, 20)
  })

  test(`${engine.name}: close may be called twice`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.doesNotReject(storage.close())
  })

  test(`${engine.name}: create after close is rejected as unavailable`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(async () => storage.pets.create(rex), isUnavailable)
  })

  for (const read of ['list', 'count', 'find'] as const) {
    test(`${engine.name}: ${read} after close is rejected as unavailable`, async (t) => {
      const storage = await engine.open(t)
      await storage.close()
      const reads = {
        list: async () => storage.pets.list({}, 20, 0n),
        count: async () => storage.pets.count({}),
        find: async () => storage.pets.find(1n),
      }

      await assert.rejects(reads[read], isUnavailable)
    })
  }
}
