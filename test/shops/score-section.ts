import { kinds } from './shop.ts'

export type Outcome = 'accused' | 'certified' | 'not judged'

export interface Result {
  name: string
  /** That of a wrong shop, or `right`. */
  kind: string
  outcome: Outcome
  seconds: number
}

/** One run against all shops. */
export interface Run {
  date: string
  commit: string
  wrong: number
  found: number
  right: number
  accused: number
  medianSeconds: number
}

export function runOf(date: string, commit: string, results: readonly Result[]): Run {
  const right = results.filter(({ kind }) => kind === 'right')
  const wrong = results.filter(({ kind }) => kind !== 'right')
  // A run ends at the first broken rule.
  const seconds = right.map((result) => result.seconds).toSorted((a, b) => a - b)
  return {
    date,
    commit,
    wrong: wrong.length,
    found: count(wrong, 'accused'),
    right: right.length,
    accused: count(right, 'accused'),
    medianSeconds: seconds[seconds.length >> 1] ?? 0,
  }
}

const heading = '## How good is it?'

/** The section of docs/verify.md: the runs so far, and the results of the last one. */
export function sectionOf(runs: readonly Run[], results: readonly Result[]): string {
  return [
    heading,
    '',
    'Tried with wrong and right pet stores in five languages (test/shops/), written from the contract by one author who had',
    'not read the checks, but had read which kinds of faults an earlier trial missed: the wrong shops lean towards those.',
    'Each has one fault. `--level contract`, judged by the exit code alone, two runs at a time on a busy machine. The',
    'seconds are those of whole runs against right shops, clean-up included; in the first row, of all shops:',
    '',
    '| date | commit | wrong shops | found | right shops | accused | seconds, median |',
    '|---|---|--:|--:|--:|--:|--:|',
    ...runs.map(
      ({ date, commit, wrong, found, right, accused, medianSeconds }) =>
        `| ${date} | ${commit} | ${wrong} | ${found} (${percent(found, wrong)}) | ${right} | ${accused} | ${medianSeconds} |`,
    ),
    '',
    'The last run, by kind of fault:',
    '',
    '| kind | wrong shops | found | certified | not judged |',
    '|---|--:|--:|--:|--:|',
    ...countsByKind(results).map((counts) => `| ${Object.values(counts).join(' | ')} |`),
    '',
    '`npm run verify:score` measures it again. It prints each outcome.',
    '',
  ].join('\n')
}

interface Counts {
  kind: string
  wrong: number
  found: number
  certified: number
  notJudged: number
}

/** For each kind of fault, and for all. */
export function countsByKind(results: readonly Result[]): Counts[] {
  const counts = (kind: string, some: readonly Result[]) => ({
    kind,
    wrong: some.length,
    found: count(some, 'accused'),
    certified: count(some, 'certified'),
    notJudged: count(some, 'not judged'),
  })
  const wrong = results.filter(({ kind }) => kind !== 'right')
  return [
    ...kinds.map((kind) =>
      counts(
        kind,
        wrong.filter((result) => result.kind === kind),
      ),
    ),
    counts('all', wrong),
  ]
}

/** The page with this section instead of its own one, or before the checks, which `npm run verify:page` writes. */
export function withSection(page: string, section: string): string {
  const start = page.indexOf(`${heading}\n`)
  const next = start === -1 ? page.indexOf('## The checks') : page.indexOf('\n## ', start) + 1
  return `${page.slice(0, start === -1 ? next : start)}${section}\n${page.slice(next)}`
}

function count(results: readonly Result[], outcome: Outcome): number {
  return results.filter((result) => result.outcome === outcome).length
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((part / whole) * 1000) / 10} %`
}
