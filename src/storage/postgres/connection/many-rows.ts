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

/** One row for COPY: https://www.postgresql.org/docs/current/sql-copy.html, the text format. */
export function copyLine(values: readonly (bigint | number | string | null)[]): string {
  return `${values.map(copyValue).join('\t')}\n`
}

function copyValue(value: bigint | number | string | null): string {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return value.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '')
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
