import { styleText } from 'node:util'

/** The answer to one question. */
export interface Section {
  /** What the flag --rows calls it. */
  name: string
  title: string
  meaning: string
  head: string[]
  lines: string[][]
  notes: string[]
  goals: Goal[]
  /** CPU for one request as a ratio to the base, by the title of the server; for the overview. */
  overview?: Map<string, number>
}

/** One line of "What it must reach" in the design, and whether it does. */
export interface Goal {
  goal: string
  measured: string
  isMet: boolean
}

export interface Run {
  title: string
  /** What the ratios refer to. */
  base: string
  command: string
  machine: string[]
  sections: Section[]
  notes: string[]
  /** What could not be measured at all, and why. */
  failures: string[]
}

export function goal(text: string, measured: string, isMet: boolean): Goal {
  return { goal: text, measured, isMet }
}

/** The whole report. */
export function markdown(run: Run): string {
  return [
    `# ${run.title}`,
    '',
    `Made by \`${run.command}\`. How to read it: [README.md](README.md).`,
    '',
    ...run.machine.map((line) => `- ${line}`),
    ...summaryLines(run),
    ...run.sections.flatMap(sectionLines),
  ].join('\n')
}

/** What is told after all rows are. */
export function summaryLines({ base, sections, notes, failures }: Run): string[] {
  return [
    ...notes.map((line) => `- ${line}`),
    ...failures.map((line) => `- **Failed**: ${line.split('\n').join(' / ')}`),
    '',
    ...goalLines(sections),
    ...overviewLines(sections, base),
  ]
}

export function sectionLines({ title, meaning, head, lines, notes }: Section): string[] {
  return [`## ${title}`, '', meaning, '', ...table(head, lines), '', ...notes.flatMap((note) => [note, ''])]
}

function goalLines(sections: readonly Section[]): string[] {
  const goals = sections.flatMap((section) => section.goals)
  if (goals.length === 0) return []
  const lines = goals.map(({ goal, measured, isMet }) => [goal, measured, isMet ? 'yes' : '**no**'])
  return ['## Goals', '', ...table(['goal', 'measured', 'met'], lines), '']
}

function overviewLines(sections: readonly Section[], base: string): string[] {
  const rows = sections.flatMap(({ title, overview }) => (overview === undefined ? [] : [{ title, overview }]))
  if (rows.length === 0) return []
  const servers = [...new Set(rows.flatMap(({ overview }) => [...overview.keys()]))]
  const lines = rows.map(({ title, overview }) => [title, ...servers.map((server) => ratio(overview.get(server)))])
  return [`## CPU per request, as a multiple of ${base}`, '', ...table(['row', ...servers], lines), '']
}

/** A table that is read as easily in a terminal as in Markdown. */
export function table(head: string[], lines: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => (line[column] ?? '').length), 3))
  const row = (cells: string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number))).join(' | ')} |`
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [row(head), row(rule), ...lines.map(row)]
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function ratio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value)
    ? '–'
    : `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ×`
}

/** A number to three digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? count(value) : value.toPrecision(3)
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

export function heading(text: string): string {
  return styleText('bold', text)
}
