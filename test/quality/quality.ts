import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasWholeHistory, isInHistory } from './history.ts'
import { type Facts, proofs, qualityPage } from './page.ts'
import { isAllSkipped, runScript } from './record.ts'

// `npm run quality -- SCRIPT …`: runs scripts, records what they did and writes docs/quality.md.

const root = join(import.meta.dirname, '../..')
const runsFile = join(import.meta.dirname, 'runs.json')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** All that the page is made of, from files of the repository. */
export function readFacts(): Facts {
  const failedChecks = JSON.parse(read('test/bugs/failed-checks.json')) as Record<string, string[]>
  const byTools = JSON.parse(read('test/bugs/found-by-tools.json')) as Record<string, { bugs: string[] }>
  const files = ['test/bugs/found-by-tools.json', 'test/bugs/failed-checks.json']
  // Empty in a copy without its history.
  const log = spawnSync('git', ['-C', root, 'log', '-1', '--format=%h %cs', '--abbrev=8', '--', ...files])
  const [commit = '', date = ''] = String(log.stdout).trim().split(' ')
  const counts = Object.entries(byTools).map(([name, { bugs }]) => [name, bugs.length] as const)
  const checked = Object.values(failedChecks)
  const isWhole = hasWholeHistory(root)
  return {
    runs: existsSync(runsFile) ? (JSON.parse(readFileSync(runsFile, 'utf8')) as Facts['runs']) : {},
    scores: (JSON.parse(read('test/shops/score.json')) as { runs: Facts['scores'] }).runs,
    tools: {
      bugs: checked.length,
      found: { 'petstore verify': checked.filter((checks) => checks.length > 0).length, ...Object.fromEntries(counts) },
      commit,
      date,
    },
    benches: { SQLite: read('bench/results.md'), PostgreSQL: read('bench/results-postgres.md') },
    isLost: (commit) => isWhole && !isInHistory(root, commit.slice(0, 8)),
  }
}

if (import.meta.main) {
  const names = process.argv.slice(2)
  if (names.some((name) => !Object.hasOwn(proofs, name))) {
    process.stderr.write(`quality: Name scripts among ${Object.keys(proofs).join(', ')}.\n`)
    process.exit(2)
  }
  for (const name of names) {
    const run = await runScript(name)
    if (isAllSkipped(run)) {
      process.stderr.write(`quality: Every test of ${name} was skipped, so nothing is recorded.\n`)
      process.exitCode = 1
      continue
    }
    const { runs } = readFacts()
    writeFileSync(runsFile, `${JSON.stringify({ ...runs, [name]: run }, undefined, 2)}\n`)
    if (!run.isGreen) process.exitCode = 1
  }
  writeFileSync(join(root, 'docs/quality.md'), qualityPage(readFacts()))
}
