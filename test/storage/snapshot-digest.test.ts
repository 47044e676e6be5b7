import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row, Snapshot } from '../../src/inventory/snapshot.ts'
import { pagesOf } from '../../src/storage/copy/snapshot-digest.ts'

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
