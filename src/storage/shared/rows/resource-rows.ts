import type { Row } from '../../../inventory/snapshot.ts'
import {
  forEachResource,
  type Noun,
  type Resource,
  type ResourceDescription,
  resources,
  type ResourceTable,
} from '../../../inventory/tables.ts'
import { columnNames, type Member } from '../../../contract/members.ts'
import { type PetRow, toPet, toPetRow } from './pet-row.ts'
import { isText, isTime, UnreadableRow } from './unreadable-row.ts'

type Value = Row[number]

/** How the rows of a resource are read and written. */
export interface Rows<Item> {
  /** The columns, for SQL. */
  columns: string
  /** Throws an UnreadableRow. */
  toItem(row: Row): Item
  toRow(item: Item): Row
  /** With the derived column, for SQL that adds rows. */
  storedColumns: string
  /** Adds the value of the derived column. */
  withDerived(row: Row): Row
}

/** The rows of every resource. Those of pets, which are read most, are written out. */
export const resourceRows = {
  ...forEachResource(rowsOf),
  pets: { ...rowsOf('pets'), toItem: (row: Row) => toPet(row as PetRow), toRow: toPetRow },
} as unknown as { readonly [Table in ResourceTable]: Rows<Resource<Table>> }

/** The values of `storedColumns`. */
export function toStoredRow<Table extends ResourceTable>(table: Table, item: Resource<Table>): Row {
  const { toRow, withDerived } = resourceRows[table]
  return withDerived(toRow(item))
}

/** An absent member is NULL in the table. */
function rowsOf(table: ResourceTable): Rows<Record<string, unknown>> {
  const { noun, schema, members, derived }: ResourceDescription = resources[table]
  const columns = Object.entries<Member>(members).map(([name, { column, type }]) => {
    const { enum: values } = schema.properties[name as keyof typeof schema.properties] as { enum?: string[] }
    return {
      name,
      column,
      type,
      isRequired: (schema.required as string[]).includes(name),
      values: values && new Set(values),
    }
  })

  function faultOf({ column, type, isRequired, values }: (typeof columns)[number], value: Value): string | undefined {
    if (value === null && !isRequired) return undefined
    if (values !== undefined)
      return values.has(value as string) ? undefined : `it has the ${column} ${JSON.stringify(value)}`
    if (type === 'time') return isTime(value) ? undefined : `${column}, ${value}, is not a time`
    return value === null || (type === 'text' && isRequired && !isText(value)) ? `it has no ${column}` : undefined
  }

  const names = columnNames(members)
  const source = Object.keys(members).indexOf(derived?.from ?? '')
  return {
    columns: names.join(', '),
    storedColumns: (derived === undefined ? names : [...names, derived.column]).join(', '),
    withDerived: (row) => (derived === undefined ? row : [...row, derived.of(row[source] as string)]),
    toItem(row) {
      const item: Record<string, unknown> = {}
      for (const [index, column] of columns.entries()) {
        const value = row[index] as Value
        const fault = faultOf(column, value)
        if (fault !== undefined) throw new UnreadableRow(noun as Noun, row[0] as bigint, fault)
        if (value !== null) item[column.name] = column.type === 'time' ? new Date(Number(value)).toISOString() : value
      }
      return item
    },
    toRow: (item) =>
      columns.map(({ name, type }) => {
        const value = item[name] as bigint | string | undefined
        return value === undefined ? null : type === 'time' ? BigInt(Date.parse(value as string)) : value
      }),
  }
}

/**
 * SQL for the JSON of a row: the bytes that contract/json.ts makes. `quote` is SQL that quotes a text as JSON.stringify
 * does. The first member is never absent.
 */
export function jsonOfRow(members: Readonly<Record<string, Member>>, quote: (text: string) => string): string {
  const parts = Object.entries(members).map(([name, { column, type }], index) => {
    const value = type === 'text' ? quote(column) : column
    const part = `'${index === 0 ? '{' : ','}"${name}":' || ${value}`
    return index === 0 ? part : `CASE WHEN ${column} IS NULL THEN '' ELSE ${part} END`
  })
  return `${parts.join(' || ')} || '}'`
}
