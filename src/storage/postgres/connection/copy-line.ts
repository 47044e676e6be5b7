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
