import { printable } from './printable.ts'

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
