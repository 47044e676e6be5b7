import { columnNames } from '../../../contract/members.ts'
import { type NewPet, type Pet, petMembers, PetStatus } from '../../../contract/pet.ts'
import { isText, UnreadableRow } from './unreadable-row.ts'

export const petColumns = columnNames(petMembers).join(', ')
/** Those that a client gives: all but the id. */
export const newPetColumns = columnNames(petMembers).slice(1).join(', ')

/** The values of `newPetColumns`. */
export type NewPetRow = [name: string, categoryId: bigint, status: PetStatus | null]
/** The values of `petColumns`. */
export type PetRow = [id: bigint, ...NewPetRow]

const statuses: ReadonlySet<string | null> = new Set([...PetStatus.enum, null])

// A missing status is NULL in the table and absent in JSON.
export function toPet([id, name, categoryId, status]: PetRow): Pet {
  if (!isText(name)) throw new UnreadableRow('animal', id, 'it has no name')
  if (!statuses.has(status)) throw new UnreadableRow('animal', id, `it has the status ${JSON.stringify(status)}`)
  return asPet([id, name, categoryId, status])
}

/** Without a check, to compare. */
export function asPet([id, name, categoryId, status]: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

export function toNewPetRow({ name, categoryId, status }: NewPet): NewPetRow {
  return [name, categoryId, status ?? null]
}

export function toPetRow(pet: Pet): PetRow {
  return [pet.id, ...toNewPetRow(pet)]
}
