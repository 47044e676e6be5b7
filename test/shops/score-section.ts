import type { SetName } from './catalogue.ts'
import { kinds } from './shop.ts'

export type Outcome = 'accused' | 'certified' | 'not judged'

export interface Result {
  name: string
  set: SetName
  /** That of a wrong shop, or `right`. */
  kind: string
  outcome: Outcome
  seconds: number
}

/** One run against all shops of a set. */
export interface Run {
  date: string
  commit: string
  set: SetName
  /** Whether the author of the checks had not seen the set. */
  heldOut: boolean
  wrong: number
  found: number
  right: number
  accused: number
  medianSeconds: number
}

/** What is published. */
export interface Score {
  runs: readonly Run[]
  /** Of each set's last run. */
  kinds: Partial<Record<SetName, readonly Counts[]>>
}

export function runOf(
  { date, commit, set, heldOut }: Pick<Run, 'date' | 'commit' | 'set' | 'heldOut'>,
  results: readonly Result[],
): Run {
  const right = results.filter(({ kind }) => kind === 'right')
  const wrong = results.filter(({ kind }) => kind !== 'right')
  // A run ends at the first broken rule.
  const seconds = right.map((result) => result.seconds).toSorted((a, b) => a - b)
  return {
    date,
    commit,
    set,
    heldOut,
    wrong: wrong.length,
    found: count(wrong, 'accused'),
    right: right.length,
    accused: count(right, 'accused'),
    medianSeconds: seconds[seconds.length >> 1] ?? 0,
  }
}

const heading = '## How good is it?'

/** The section of docs/verify.md: what to expect, the runs so far, and the results of each set's last one. */
export function sectionOf({ runs, kinds }: Score): string {
  const heldOut = runs.filter((run) => run.heldOut)
  const newest = heldOut.at(-1)
  return [
    heading,
    '',
    ...(newest === undefined ? [] : [expectation(newest, heldOut), '']),
    'Tried with wrong and right pet stores in five languages. Each wrong one has one fault. `--level contract`, judged by',
    'the exit code alone, two to four runs at a time on a busy machine. The seconds are those of whole runs against right',
    'shops, clean-up included; in the first row, of all shops.',
    '',
    'The shops are in sets ([who wrote them, and from what](../test/shops/README.md)). Each was written from the contract',
    'by an author who had not read the checks, and committed before the checks were changed: its first run is held out.',
    'The second runs of the fourth, the fifth and the sixth set are held out too: while each was written, somebody who did',
    'not see it improved the checks. Other runs judge checks that were improved by what the set had shown. A row is about',
    'the checks of its commit, not about later ones. The right shop of the fifth set that is accused makes a pending animal',
    'available by itself: the contract shows no transitions, and for `verify` an animal that no request has changed is the',
    'same.',
    '',
    '| set | held out | date | commit | wrong shops | found | right shops | accused | seconds, median |',
    '|---|---|---|---|--:|--:|--:|--:|--:|',
    ...runs.map((run) => {
      const { set, date, commit, wrong, found, right, accused, medianSeconds } = run
      const row = [set, run.heldOut ? 'yes' : 'no', date, commit, wrong, shareOf(found, wrong), right, accused]
      return `| ${[...row, medianSeconds].join(' | ')} |`
    }),
    '',
    'By kind of fault, the last run of each set. A wrong shop is found if the exit code is 1, certified if it is 0:',
    '',
    '| set | kind | wrong shops | found | certified | not judged |',
    '|---|---|--:|--:|--:|--:|',
    ...Object.entries(kinds).flatMap(([set, counts]) =>
      counts.map((row) => `| ${[set, ...Object.values(row)].join(' | ')} |`),
    ),
    '',
    '`npm run verify:score` measures it again. It prints each outcome.',
    '',
  ].join('\n')
}

function expectation({ set, wrong, found, right, accused }: Run, heldOut: readonly Run[]): string {
  const percent = (run: Run) => percentOf(run.found, run.wrong)
  const shares = Object.entries(Object.groupBy(heldOut, ({ set: name }) => name)).map(
    ([name, runs]) => `${runs.map(percent).join(', then ')} % (${name})`,
  )
  return [
    `Of ${wrong} wrong shops that the checks were not made for, **${shareOf(found, wrong)}** were found; of ${right} right`,
    `ones, ${accused} ${accused === 1 ? 'was' : 'were'} accused (the ${set} set, held out).`,
    '',
    'How many are found depends on the faults, so no figure is a promise for your shop. Found in the held-out runs:',
    `${shares.slice(0, 3).join(', ')},`,
    `${shares.slice(3).join(', ')}.`,
    'Runs that are not held out find more: their checks were improved by the same shops.',
  ].join('\n')
}

export interface Counts {
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

/** The page with this section instead of its own one, or before the checks, which `make -- checks-page` writes. */
export function withSection(page: string, section: string): string {
  const start = page.indexOf(`${heading}\n`)
  const next = start === -1 ? page.indexOf('## The checks') : page.indexOf('\n## ', start) + 1
  return `${page.slice(0, start === -1 ? next : start)}${section}\n${page.slice(next)}`
}

function count(results: readonly Result[], outcome: Outcome): number {
  return results.filter((result) => result.outcome === outcome).length
}

function shareOf(part: number, whole: number): string {
  return `${part} (${percentOf(part, whole)} %)`
}

/** With one decimal, never rounded up. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part / whole) * 1000) / 10
}
