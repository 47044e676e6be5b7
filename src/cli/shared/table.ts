/** Rows under a heading, with columns padded to their widest cell. */
export function table(heading: readonly string[], values: readonly (readonly string[])[]): string {
  const rows = values.map((row) => row.map(printable))
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [heading, ...rows].map(line).join('\n')
}

/**
 * A text for a terminal: control characters are escaped as in JSON. The name of a key may come from another admin, over
 * HTTP, and must not move the cursor or add lines.
 */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
