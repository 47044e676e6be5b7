import type { Pet, PetStatus } from '../../../contract/pet.ts'

export const petColumns = 'id, name, category_id, status'

export type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus | null]

// A missing status is NULL in the table and absent in JSON.
export function toPet([id, name, categoryId, status]: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

export function toPetRow({ id, name, categoryId, status }: Pet): PetRow {
  return [id, name, categoryId, status ?? null]
}
