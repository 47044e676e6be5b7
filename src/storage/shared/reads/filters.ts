import type { Pet } from '../../../contract/pet.ts'
import type { EventSubject } from '../../../inventory/events.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import type { OrderFilter } from '../../../inventory/orders.ts'
import type { PetFilter } from '../../../inventory/pets.ts'

// Engines have one statement for each combination of filters. Its first parameters are the filters' values.

type Value = bigint | string

export type PetStatements<Statement> = Record<
  'all' | 'status' | 'none' | 'category' | 'both' | 'categoryAndNone',
  Statement
>

export function choosePets<Statement>(
  statements: PetStatements<Statement>,
  { status, categoryId }: PetFilter,
): { statement: Statement; values: Value[] } {
  if (categoryId === undefined) {
    if (status === undefined) return { statement: statements.all, values: [] }
    return status === 'none'
      ? { statement: statements.none, values: [] }
      : { statement: statements.status, values: [status] }
  }
  if (status === undefined) return { statement: statements.category, values: [categoryId] }
  return status === 'none'
    ? { statement: statements.categoryAndNone, values: [categoryId] }
    : { statement: statements.both, values: [categoryId, status] }
}

export function chooseOrders({ status, petId }: OrderFilter): {
  name: 'all' | 'status' | 'pet' | 'both'
  values: Value[]
} {
  if (petId === undefined) {
    return status === undefined ? { name: 'all', values: [] } : { name: 'status', values: [status] }
  }
  return status === undefined ? { name: 'pet', values: [petId] } : { name: 'both', values: [petId, status] }
}

export function chooseEvents({ petId, orderId }: EventSubject): { name: 'all' | 'pet' | 'order'; values: Value[] } {
  if (petId !== undefined) return { name: 'pet', values: [petId] }
  return orderId === undefined ? { name: 'all', values: [] } : { name: 'order', values: [orderId] }
}

/** Whether the filter names a pet, which is then looked up by its id. */
export function hasId<Filter extends PetFilter>(filter: Filter): filter is Filter & { id: bigint } {
  return filter.id !== undefined
}

/** Whether the filter has words of a name, which are searched. */
export function hasName<Filter extends PetFilter>(filter: Filter): filter is Filter & { name: string } {
  return filter.name !== undefined
}

/** The pet, if it has the status, the category and the words that the filter names. */
export function ifMatching({ status, categoryId, name }: PetFilter, pet: Pet | undefined): Pet | undefined {
  if (name !== undefined && !hasWords(pet?.name ?? '', searchWords(name))) return undefined
  if (status !== undefined && (pet?.status ?? 'none') !== status) return undefined
  return categoryId !== undefined && pet?.categoryId !== categoryId ? undefined : pet
}
