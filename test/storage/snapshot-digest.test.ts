import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row, Snapshot } from '../../src/inventory/snapshot.ts'
import { digestSnapshot, isUnchanged, pagesOf } from '../../src/storage/copy/snapshot-digest.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { openSource } from '../support/snapshot.ts'

test('a page of a copy has at most 64 MiB of names', async () => {
  const name = 'x'.repeat(64 * 1024)
  const pets = Array.from({ length: 2_500 }, (_none, place): Row => [BigInt(place + 1), name, 1n, null])
  const shop: Snapshot = {
    count: async () => pets.length,
    async rows(_kind, limit, [after] = [0n]) {
      return pets.slice(Number(after), Number(after) + limit)
    },
    async close() {},
  }

  const pages = await Array.fromAsync(pagesOf(shop, 'pets'))

  assert.deepEqual(pages.flat(), pets)
  for (const page of pages) assert.ok(page.length * name.length <= 64 * 1024 * 1024, `${page.length} rows`)
})

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a shop whose order got a note is changed, though that leaves no event`, async (t) => {
    const url = await engine.url(t)
    const storage = await openStorage(url)
    t.after(() => storage.close())
    await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
    await storage.orders.place({ petId: 1n })
    const before = await openSource(url)
    const digest = await digestSnapshot(before)
    await before.close()

    await storage.orders.update(1n, { note: 'Collected on Friday' })

    const now = await openSource(url)
    t.after(() => now.close())
    assert.equal(await isUnchanged(digest, now), false)
  })
}
