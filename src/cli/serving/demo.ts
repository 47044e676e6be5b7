import type { NewPet } from '../../contract/pet.ts'
import type { Storage } from '../../inventory/storage.ts'

const animals: NewPet[] = [
  { name: 'Rex', categoryId: 1n, status: 'available' },
  { name: 'Luna', categoryId: 1n, status: 'pending' },
  { name: 'Mia', categoryId: 2n, status: 'available' },
  { name: 'Tom', categoryId: 2n, status: 'sold' },
  { name: 'Señor Bigotes', categoryId: 2n, status: 'available' },
  { name: 'ポチ', categoryId: 1n, status: 'available' },
  { name: 'Hoppel 🐇', categoryId: 3n, status: 'available' },
  { name: 'Kiwi', categoryId: 4n, status: 'pending' },
  { name: 'Coco', categoryId: 4n },
  { name: 'Bubbles', categoryId: 5n, status: 'available' },
]

const categories = ['Dogs', 'Cats', 'Rabbits', 'Birds', 'Fish']

/** Fills an empty shop with a few animals and returns their number. Leaves a shop with animals unchanged. */
export async function addDemoAnimals({
  pets,
  categories: shelf,
}: Pick<Storage, 'pets' | 'categories'>): Promise<number> {
  if ((await pets.count({})) > 0n) return 0
  for (const animal of animals) await pets.create(animal)
  for (const [index, name] of categories.entries()) await shelf.put({ id: BigInt(index + 1), name })
  return animals.length
}
