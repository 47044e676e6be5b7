import { lostMark } from './history.ts'
import type { Run } from './record.ts'
import { percentOf, type Run as Score } from '../shops/score-section.ts'

/** Every script that proves something, and what. */
export const proofs: Record<string, string> = {
  test: 'every rule, on both engines',
  'test:slow': 'processes, packages, the console, faults once',
  'test:crash': 'a hundred times `kill -9`',
  'test:faults': 'power loss, broken and full disks, hung servers, jumping clocks',
  'test:histories': 'every answer is true of one order of all changes, while parts are killed',
  'test:failover': 'three PostgreSQL nodes, killed, hung and disconnected',
  'test:webhooks': 'deliveries under kills and failover',
  'test:streams': 'quiet streams, and clients that do not read',
  'test:properties': 'thousands of random cases',
  'test:mutants': 'changes of the program that tests must notice',
  'test:generators': 'code generators of others on our document',
  'test:mcp': "the protocol's own conformance tests",
  'test:runtimes': 'the client under Node 22, Bun, Deno and TypeScript 5',
  'test:speed': 'the cost of a request beside bare node:http',
  release: 'the files of a release, built twice and tried',
}

export interface Facts {
  runs: Record<string, Run>
  /** Of verify against shops that it was not made for. */
  scores: readonly Score[]
  /** How many bugs of the catalogue each tool finds. */
  tools: { bugs: number; found: Record<string, number>; commit: string; date: string }
  /** The results of the bench, by engine. */
  benches: Record<string, string>
  /** Whether a recorded commit is known not to be in the history. */
  isLost(commit: string): boolean
}

/** The page docs/quality.md. */
export function qualityPage({ runs, scores, tools, benches, isLost }: Facts): string {
  const commitText: CommitText = (commit) => (isLost(commit) ? `${commit}${lostMark}` : commit)
  const rows = Object.entries(proofs).map(([name, what]) => proofRow(name, what, runs[name], commitText))
  const figures = Object.keys(proofs).flatMap((name) => figuresOf(name, runs[name], commitText))
  // The latest held-out run: others judge checks that were improved by the same shops.
  const score = scores.findLast(({ heldOut }) => heldOut)
  return `# Quality

What was really run, at which commit and when. \`npm run quality -- SCRIPT …\` runs scripts, records what they did in
\`test/quality/runs.json\` and writes this page; without a name it only writes the page. A row that says "not run" was
not run since the page exists: it claims nothing. "Not in the history" is a commit that was lost after the run: nobody
can look at what was run. Parts of \`test:mutants\` were run by hand
([what they found](../test/mutants/README.md)).

## Proofs

| script | what it proves | tests | failed | skipped | minutes | commit | date |
|---|---|--:|--:|--:|--:|---|---|
${rows.join('\n')}
${figures.length === 0 ? '' : `\n## Figures of the proofs\n\n${figures.join('\n')}`}
## Verify

${score === undefined ? 'Not run.' : scoreLine(score, commitText)}

## Tools

Bugs of the [catalogue](bugs.md) that each finds, of ${tools.bugs} ([which](bugs-found.md); recorded in ${tools.commit}, ${tools.date}):

${Object.entries(tools.found)
  .map(([name, count]) => `- ${name}: ${count}`)
  .join('\n')}

## Speed, start and memory

${Object.entries(benches)
  .map(([name, text]) => benchSection(name, text, commitText))
  .join('\n\n')}
`
}

type CommitText = (commit: string) => string

function proofRow(name: string, what: string, run: Run | undefined, commitText: CommitText): string {
  if (run === undefined) return `| \`${name}\` | ${what} | not run | | | | | |`
  const { tests, fail, skipped } = run.tests
  const failed = run.isGreen ? String(fail) : `**${Math.max(fail, 1)}**`
  return `| \`${name}\` | ${what} | ${tests === 0 ? '–' : tests} | ${failed} | ${skipped} | ${run.minutes} | ${commitText(run.commit)} | ${run.date} |`
}

function figuresOf(name: string, run: Run | undefined, commitText: CommitText): string[] {
  if (run === undefined || run.figures.length === 0) return []
  return [`\`${name}\`, ${commitText(run.commit)}:`, '', '```', ...run.figures, '```', '']
}

function scoreLine(
  { wrong, found, right, accused, medianSeconds, commit, date }: Score,
  commitText: CommitText,
): string {
  const share = percentOf(found, wrong)
  return `Against shops that it was not made for: ${found} of ${wrong} wrong ones found (${share} %), ${accused} of ${right}
right ones accused; a right one takes ${medianSeconds} s (${commitText(commit)}, ${date}; [more](verify.md)).`
}

/** The table of goals of a page of results, with how many are met. */
function benchSection(name: string, text: string, commitText: CommitText): string {
  const measured = /^- (\S+) \S+ UTC, commit (\w+)/m.exec(text)
  const table = /^## Goals$[^]*?(?=^## |$(?![^]))/m.exec(text)?.[0] ?? ''
  const goals = [...table.matchAll(/^\| (.+?) +\| +(\S.*?) +\| +(yes|\*\*no\*\*) \|$/gm)]
  const met = goals.filter(([, , , isMet]) => isMet === 'yes').length
  const page = `../bench/results${name === 'SQLite' ? '' : '-postgres'}.md`
  return `On ${name}, ${met} of ${goals.length} goals are met (${commitText(measured?.[2] ?? '')}, ${measured?.[1]}; [all](${page})).

| goal | measured | met |
|---|--:|---|
${goals.map(([, goal, value, isMet]) => `| ${goal} | ${value} | ${isMet} |`).join('\n')}`
}
