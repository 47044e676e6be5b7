import { readFileSync, writeFileSync } from 'node:fs'

export interface Figures {
  rounds: number
  /** How many writes of each kind were acknowledged. */
  acknowledged: ReadonlyMap<string, number>
  events: number
  /** How often each follower reconnected, by its name. */
  interruptions: ReadonlyMap<string, number>
  /** The longest times without an acknowledged write, in milliseconds, by the fault of the primary. */
  gaps: ReadonlyMap<string, readonly number[]>
}

const page = new URL('../../docs/high-availability.md', import.meta.url)

/** The figures as a part of docs/high-availability.md. */
export function figuresText({ rounds, acknowledged, events, interruptions, gaps }: Figures): string {
  const writes = [...acknowledged].map(([kind, count]) => `${grouped(count)} ${kind}`).join(', ')
  const breaks = [...interruptions].map(([name, count]) => `${name} ${grouped(count)} times`).join(', ')
  const rows = [...gaps].map(([kind, times]) => `| ${kind} | ${times.length} | ${seconds(Math.max(...times))} |`)
  return [
    `${rounds} rounds. Acknowledged: ${writes}.`,
    'At the end every acknowledged write was present exactly once, and nothing else.',
    `${grouped(events)} events: each follower got every event once, in order, and no event that did not happen.`,
    `Followers reconnected: ${breaks}.`,
    '',
    '| fault of the primary | rounds | longest time without an acknowledged write, s |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Prints the figures and, with PETSTORE_FAILOVER_RECORD=1, replaces those in the page. */
export function record(name: string, figures: string): void {
  console.log(`\n${figures}`)
  if (process.env['PETSTORE_FAILOVER_RECORD'] !== '1') return
  const begin = `<!-- figures of the ${name}, written by its test -->\n`
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(begin) + begin.length
  const to = text.indexOf('<!-- end of figures -->', from)
  if (from < begin.length || to === -1) throw new Error(`The page has no place for the figures of the ${name}.`)
  writeFileSync(page, text.slice(0, from) + figures + text.slice(to))
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1)
}
