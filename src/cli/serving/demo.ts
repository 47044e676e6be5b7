import type { NewOrder } from '../../contract/order.ts'
import type { NewPet } from '../../contract/pet.ts'
import type { Storage } from '../../inventory/storage.ts'
import { commandLineAuthor } from '../../contract/event.ts'

const animals: NewPet[] = [
  { name: 'Rex', categoryId: 1n, status: 'available' },
  { name: 'Luna', categoryId: 1n, status: 'available' },
  { name: 'Mia', categoryId: 2n, status: 'available' },
  { name: 'Tom', categoryId: 2n, status: 'available' },
  { name: 'Señor Bigotes', categoryId: 2n, status: 'available' },
  { name: 'ポチ', categoryId: 1n, status: 'available' },
  { name: 'Hoppel 🐇', categoryId: 3n, status: 'available' },
  { name: 'Kiwi', categoryId: 4n, status: 'available' },
  { name: 'Coco', categoryId: 4n },
  { name: 'Bubbles', categoryId: 5n, status: 'available' },
]

/** They make Tom sold, and Luna and Kiwi pending. */
const orders: (Omit<NewOrder, 'petId'> & { name: string; isCompleted?: true })[] = [
  { name: 'Tom', customer: 'Grace Hopper', note: 'Paid in cash.', isCompleted: true },
  { name: 'Luna', customer: 'Ada Lovelace', note: 'Collects on Saturday.' },
  { name: 'Kiwi', customer: 'Alan Turing' },
]

const categories = ['Dogs', 'Cats', 'Rabbits', 'Birds', 'Fish']

/** Fills an empty shop with a few animals and returns their number. Leaves a shop with animals unchanged. */
export async function addDemoAnimals(storage: Pick<Storage, 'pets' | 'categories' | 'orders'>): Promise<number> {
  if ((await storage.pets.count({})) > 0n) return 0
  const idOf = new Map<string, bigint>()
  for (const animal of animals) {
    const creation = await storage.pets.create(animal, undefined, commandLineAuthor)
    if ('pet' in creation) idOf.set(animal.name, creation.pet.id)
  }
  for (const { name, isCompleted, ...texts } of orders) {
    const petId = idOf.get(name) as bigint
    const placement = await storage.orders.place({ petId, ...texts }, undefined, commandLineAuthor)
    if (!isCompleted || !('order' in placement)) continue
    await storage.orders.update(placement.order.id, { status: 'completed' }, undefined, commandLineAuthor)
  }
  for (const [index, name] of categories.entries()) await storage.categories.put({ id: BigInt(index + 1), name })
  return animals.length
}
