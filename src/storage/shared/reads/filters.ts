import type { Pet } from '../../../contract/pet.ts'
import type { EventSubject } from '../../../inventory/events.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import type { OrderFilter } from '../../../inventory/orders.ts'
import { filteredMembers, type MemberFilter, type PetFilter, type StatusFilter } from '../../../inventory/pets.ts'

type Value = bigint | string

/** What a filter asks of a column: a value, or none. */
export interface Condition {
  column: string
  isAbsent: boolean
}

/** The statement of a filter, and the values of its conditions, which are the first parameters. */
export type ByFilter<Statement> = (filter: MemberFilter) => { statement: Statement; values: Value[] }

/** One statement for each combination of filters, made when it is first asked for. */
export function byFilter<Statement>(make: (conditions: readonly Condition[]) => Statement): ByFilter<Statement> {
  const statements = new Map<string, Statement>()
  return (filter) => {
    let which = ''
    const values: Value[] = []
    for (const name of filterNames) {
      const value = filter[name]
      if (value === undefined) continue
      const isAbsent = asksForNone(name, value)
      if (!isAbsent) values.push(value)
      which += isAbsent ? `-${name}` : `+${name}`
    }
    let statement = statements.get(which)
    if (statement === undefined) statements.set(which, (statement = make(conditionsOf(filter))))
    return { statement, values }
  }
}

const filterNames = Object.keys(filteredMembers) as (keyof MemberFilter)[]

function asksForNone(name: keyof MemberFilter, value: Value | undefined): boolean {
  return name === 'status' && value === ('none' satisfies StatusFilter)
}

function conditionsOf(filter: MemberFilter): Condition[] {
  return filterNames
    .filter((name) => filter[name] !== undefined)
    .map((name) => ({ column: filteredMembers[name].column, isAbsent: asksForNone(name, filter[name]) }))
}

/** The filters by members alone. */
export function memberFilterOf(filter: PetFilter): MemberFilter {
  return Object.fromEntries(filterNames.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])))
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

/** The pet, if it has the members and the words that the filter names. Refuses a text without a word in any case. */
export function ifMatching(filter: PetFilter, pet: Pet | undefined): Pet | undefined {
  const words = filter.name === undefined ? undefined : searchWords(filter.name)
  if (pet === undefined || (words !== undefined && !hasWords(pet.name, words))) return undefined
  const isMatch = filterNames.every((name) => {
    const value = filter[name]
    return value === undefined || (asksForNone(name, value) ? pet[name] === undefined : pet[name] === value)
  })
  return isMatch ? pet : undefined
}
