import type { NewPet } from '../../src/contract/pet.ts'
import type { ImportStep } from '../../src/inventory/imports.ts'
import type { Storage } from '../../src/inventory/storage.ts'

export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
export const tom: NewPet = { name: 'Tom', categoryId: 2n }
export const mia: NewPet = { name: 'Mia', categoryId: 1n, status: 'sold' }
export const lost = { ...tom, status: 'lost' } as unknown as NewPet

export const key = { keyId: 'key', name: 'spring' }
export const first: ImportStep = { key: { ...key, fingerprint: 'one' }, before: undefined, body: '{"rows":1}' }
export const second: ImportStep = { key: { ...key, fingerprint: 'two' }, before: 'one', body: '{"rows":2}' }

export async function names(storage: Storage): Promise<string[]> {
  return (await allPets(storage)).map(({ name }) => name)
}

export async function allPets({ pets }: Storage) {
  return (await pets.list({}, 1_000, 0n)).items
}
