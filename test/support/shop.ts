import type { PetStatus } from '../../src/contract/pet.ts'
import type { Storage } from '../../src/inventory/storage.ts'

const names = ['Rex', 'Luna', 'Mia', 'Señor Bigotes', 'Жучка', 'Björk', 'Ζορό', 'سمسم', 'Tom', 'Kiwi', 'Coco', 'Nala']
const more = ['Bubbles', 'Hoppel', 'Frida', 'Łatek', 'Otto', 'Pepper', 'Momo', 'Ivy', 'Bruno', 'Čiko', 'Tilda']
const statuses: (PetStatus | undefined)[] = [
  'available',
  'sold',
  'available',
  'pending',
  'available',
  'sold',
  undefined,
]
const shares = [1n, 2n, 1n, 3n, 2n, 4n, 1n, 5n, 2n, 6n, 1n, 2n, 4n]

/** Fills a shop with the same animals every time, in six categories; five of them have a name. */
export async function fillShop({ pets, categories }: Storage, count: number): Promise<void> {
  const all = [...names, ...more]
  for (const [index, name] of ['Dogs', 'Cats', 'Rabbits', 'Birds', 'Fish'].entries()) {
    await categories.put({ id: BigInt(index + 1), name })
  }
  await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const status = statuses[(index * 5 + (index >> 3)) % statuses.length]
      const name = all[index % all.length] as string
      const categoryId = shares[(index * 7) % shares.length] as bigint
      return pets.create({ name, categoryId, ...(status !== undefined && { status }) })
    }),
  )
}
