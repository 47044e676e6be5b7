import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pet } from '../../src/contract/pet.ts'
import type { ApiKey } from '../../src/inventory/keys.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type Bug, combine } from '../../src/sandbox/bugs/bug.ts'
import { findBug } from '../../src/sandbox/bugs/catalogue.ts'

const ownKey: ApiKey = { id: 'sandbox_a', name: 'a', permission: 'admin', createdAt: 0 }

test('stale-animal bounds what it keeps by its length: names may be long', async () => {
  let reads = 0
  const find = async (id: bigint): Promise<Pet> => {
    reads++
    return { id, name: 'x'.repeat(600_000), categoryId: 1n }
  }
  const parts = (findBug('stale-animal') as Bug).make({ clock: () => 0, ownKey })
  const { pets } = combine([parts]).ports({ pets: { find } } as unknown as Storage)

  for (const id of [1n, 1n, 2n, 2n]) await pets.find(id)
  assert.equal(reads, 2)
  await pets.find(1n)
  assert.equal(reads, 3)
})
