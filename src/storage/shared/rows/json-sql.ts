import type { Member } from '../../../contract/members.ts'

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
