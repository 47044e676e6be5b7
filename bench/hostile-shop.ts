import type { Storage } from '../src/inventory/storage.ts'
import { keyHash, newKeyId } from '../src/inventory/key-secret.ts'
import { openStorage } from '../src/storage/open.ts'

/** Names of 64 KB, each the worst for some part: encoding, folding, indexing, comparing. By category, from 1. */
export const hostileNames = {
  escapes: '\u0001'.repeat(60_000),
  marks: `e${'\u0301\u0323'.repeat(16_000)}`,
  ligatures: '\ufdfa'.repeat(21_000),
  words: 'é b '.repeat(13_000),
} as const

const petsOfAKind = 100
const others = 300

/** A shop of rows that cost as much as a client can make them cost. `key` becomes an admin key. */
export async function fillHostile(path: string, key: string): Promise<void> {
  const storage = await openStorage(`sqlite:${path}`)
  try {
    await addKeys(storage, key)
    const names = Object.values(hostileNames)
    for (let added = 0; added < petsOfAKind; added++) {
      await storage.imports.add(names.map((name, kind) => ({ name, categoryId: BigInt(kind + 1) })))
    }
    await addOrders(storage)
    for (let id = 1n; id <= others; id++) await storage.categories.put({ id, name: `${id} ${'\ufdfa'.repeat(990)}` })
  } finally {
    await storage.close()
  }
}

async function addKeys({ keys }: Storage, key: string): Promise<void> {
  const facts = { permission: 'admin', createdAt: Date.now() } as const
  await keys.create({ id: newKeyId(), hash: keyHash(key), name: 'bench', ...facts })
  for (let count = 0; count < others; count++) {
    await keys.create({ id: newKeyId(), hash: keyHash(`${key}${count}`), name: '\ufdfa'.repeat(100), ...facts })
  }
}

async function addOrders({ imports, orders, pets }: Storage): Promise<void> {
  const orderedCategory = 1_000n
  const animal = { name: 'Rex', categoryId: orderedCategory, status: 'available' } as const
  await imports.add(Array.from({ length: others }, () => animal))
  const { items } = await pets.list({ categoryId: orderedCategory }, others, 0n)
  const texts = { customer: '\ufdfa'.repeat(200), note: '\u0001'.repeat(1_000) }
  await Promise.all(items.map(({ id }) => orders.place({ petId: id, ...texts })))
}
