import type { Member } from '../../../contract/members.ts'
import type { Pet } from '../../../contract/pet.ts'
import type { EventSubject } from '../../../inventory/events.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import { filteredMembers, type MemberFilter, type PetFilter, type StatusFilter } from '../../../inventory/pets.ts'
import { type ResourceDescription, resources, type ResourceTable } from '../../../inventory/tables.ts'

type Value = bigint | string

/** Values of members. */
export type ValueFilter = Readonly<Record<string, Value | undefined>>

/** What a filter asks of a column: a value, or none. */
export interface Condition {
  column: string
  isAbsent: boolean
}

/** The statement of a filter, and the values of its conditions, which are the first parameters. */
export type ByFilter<Statement, Filter = MemberFilter> = (filter: Filter) => { statement: Statement; values: Value[] }

/** Whether a filter asks for rows without a value. */
function asksForNone(name: string, value: unknown): boolean {
  return name === 'status' && value === ('none' satisfies StatusFilter)
}

/** Makes statements by the filters of these members. */
function filterBy<Filter extends object>(members: Readonly<Record<keyof Filter, Pick<Member, 'column'>>>) {
  const columns = Object.entries<Pick<Member, 'column'>>(members).map(([name, { column }]) => ({ name, column }))

  /** One statement for each combination of filters, made when it is first asked for. */
  return <Statement>(make: (conditions: readonly Condition[]) => Statement): ByFilter<Statement, Filter> => {
    const statements = new Map<string, Statement>()
    return (filter) => {
      let which = ''
      const values: Value[] = []
      for (const { name } of columns) {
        const value = filter[name as keyof Filter] as Value | undefined
        if (value === undefined) continue
        const isAbsent = asksForNone(name, value)
        if (!isAbsent) values.push(value)
        which += isAbsent ? `-${name}` : `+${name}`
      }
      let statement = statements.get(which)
      if (statement === undefined) {
        const conditions = columns.flatMap(({ name, column }) => {
          const value = filter[name as keyof Filter]
          return value === undefined ? [] : [{ column, isAbsent: asksForNone(name, value) }]
        })
        statements.set(which, (statement = make(conditions)))
      }
      return { statement, values }
    }
  }
}

/** For pets. */
export const byFilter = filterBy<MemberFilter>(filteredMembers)

/** For a resource that says what it is filtered by. */
export function byFilterOf(table: ResourceTable) {
  const { members, filters = [] }: ResourceDescription = resources[table]
  return filterBy<ValueFilter>(Object.fromEntries(filters.map((name) => [name, members[name] as Member])))
}

const filterNames = Object.keys(filteredMembers) as (keyof MemberFilter)[]

/** The filters by members alone. */
export function memberFilterOf(filter: PetFilter): MemberFilter {
  return Object.fromEntries(filterNames.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])))
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
