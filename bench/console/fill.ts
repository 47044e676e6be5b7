import { encodeAuthor } from '../../src/contract/event.ts'
import { keyHash } from '../../src/inventory/key-secret.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { animal } from '../data.ts'

export const size = { animals: 200_000, categories: 300, orders: 20_000 }

const importSize = 10_000
const orderBatch = 1_000
const author = encodeAuthor({ keyId: 'key_ada', keyName: 'Ada' })

/** A shop that is years old, made by the storage itself, so that it has the events of everything. */
export async function fillShop(url: string, key: string): Promise<void> {
  const storage = await openStorage(url)
  const facts = { name: 'Ada', permission: 'admin', createdAt: Date.now() } as const
  await storage.keys.create({ id: 'key_ada', hash: keyHash(key), ...facts })
  await Promise.all(
    range(1, size.categories).map((id) => storage.categories.put({ id: BigInt(id), name: `Kind ${id}` })),
  )
  for (let first = 1; first <= size.animals; first += importSize)
    await storage.imports.add(range(first, importSize).map(petOf), undefined, author)
  await placeOrders(storage)
  await storage.close()
}

function petOf(id: number) {
  const { name, status } = animal(id)
  const categoryId = BigInt(1 + (id % size.categories))
  // Some animals have no status, and all that are ordered are available.
  return { name, categoryId, ...(id % 50 !== 0 && { status: isOrdered(id) ? ('available' as const) : status }) }
}

const everyNth = size.animals / size.orders

function isOrdered(id: number): boolean {
  return id % everyNth === 1
}

/** Half of the orders are completed, a quarter are cancelled, the rest are open. */
async function placeOrders({ orders }: Storage): Promise<void> {
  for (let first = 0; first < size.orders; first += orderBatch) {
    const indexes = range(first, orderBatch)
    await Promise.all(
      indexes.map((index) => {
        const customer = animal(index).name.replace(/ .*/, ` Customer${index}`)
        return orders.place({ petId: BigInt(index * everyNth + 1), customer })
      }),
    )
    await Promise.all(
      indexes.map(async (index) => {
        if (index % 4 < 3) await orders.update(BigInt(index + 1), { status: index % 4 < 2 ? 'completed' : 'cancelled' })
      }),
    )
  }
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index)
}
