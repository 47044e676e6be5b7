import type { Member } from '../../../contract/members.ts'

const types = { int64: 'int8', time: 'int8', text: 'text' } as const

/** The type of a column. */
export function typeOf({ type }: Member): string {
  return types[type]
}

/** Rows as parameters, one array for each column: `unnest($1::int8[], $2::text[])`. `more` are the types of further columns. */
export function unnest(members: Readonly<Record<string, Member>>, more: readonly string[] = []): string {
  const columns = [...Object.values(members).map(typeOf), ...more]
  return `unnest(${columns.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`
}
