import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { lostMark, namedCommits } from '../quality/history.ts'
import { proofs, qualityPage } from '../quality/page.ts'
import { readFacts } from '../quality/quality.ts'
import { isAllSkipped, readOutput, runCommand, type Run } from '../quality/record.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** As if all commits that are named were there. */
const facts = { ...readFacts(), isLost: () => false }

test('the page of quality has a row for every proof, and says which were not run', () => {
  const scripts = Object.keys(packageJson.scripts).filter(
    (name) => name.startsWith('test') && name !== 'test:everything',
  )
  const page = qualityPage({ ...facts, runs: {} })

  assert.deepEqual(Object.keys(proofs).toSorted(), [...scripts, 'release'].toSorted())
  for (const name of Object.keys(proofs)) assert.match(page, new RegExp(`^\\| \`${name}\` \\| .* \\| not run \\|`, 'm'))
})

test('the page of quality shows what was run with its commit and date, and a failure', () => {
  const tests = { tests: 5, pass: 4, fail: 0, skipped: 1 }
  const run: Run = { commit: '12345678', date: '2026-11-18', isGreen: true, minutes: 2.5, tests, figures: ['3 kills'] }
  const page = qualityPage({ ...facts, runs: { 'test:crash': run, release: { ...run, isGreen: false } } })

  assert.match(page, /^\| `test:crash` \| .* \| 5 \| 0 \| 1 \| 2\.5 \| 12345678 \| 2026-11-18 \|$/m)
  assert.match(page, /^\| `release` \| .* \| 5 \| \*\*1\*\* \| 1 \|/m)
  assert.match(page, /^`test:crash`, 12345678:\n\n```\n3 kills\n```$/m)
})

test('a run is read from what node:test prints, over all of its parts', () => {
  const part = 'ℹ tests 12\nℹ suites 0\nℹ pass 10\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ duration_ms 5\n'
  const output = `✔ a rule (5ms)\nℹ seed 7: 900 requests, 890 answered\n${part}✔ another\n${part}`

  assert.deepEqual(readOutput(output), {
    tests: { tests: 24, pass: 20, fail: 2, skipped: 2 },
    figures: ['seed 7: 900 requests, 890 answered'],
  })
})

test('a run of which every test was skipped is not recorded', () => {
  const tests = (pass: number, skipped: number) => ({ tests: { tests: pass + skipped, pass, fail: 0, skipped } })
  assert.equal(isAllSkipped(tests(0, 2)), true)
  assert.equal(isAllSkipped(tests(1, 2)), false)
  // A script without tests of its own, such as `npm run release`.
  assert.equal(isAllSkipped(tests(0, 0)), false)
})

test('the page of quality counts the goals of the bench, and no other tables', () => {
  const bench = [
    '- 2026-11-18 10:00 UTC, commit 12345678, Linux',
    '## Goals\n',
    '| goal | measured | met |\n|---|---|---|',
    '| list: at most 1.2 × |  1.22 × | **no** |',
    '| any: at most 0.9 × |  0.88 × |    yes |\n',
    '## longest step',
    '| list pets | 9.79 | 12.2 | yes |',
  ].join('\n')
  const page = qualityPage({ ...facts, benches: { SQLite: bench } })

  assert.match(page, /^On SQLite, 1 of 2 goals are met \(12345678, 2026-11-18; /m)
  assert.doesNotMatch(page, /list pets/)
})

test('docs/quality.md is what npm run quality writes', () => {
  // The commit that changes what tools find cannot name itself. Which commits are lost depends on the history, not on
  // the files: a squash must not fail this test. A release asks for it (release/lost-commits.ts).
  const fromFiles = (page: string) => page.replace(/(?<=recorded in ).*(?=\):)/, '').replaceAll(lostMark, '')

  assert.equal(fromFiles(read('docs/quality.md')), fromFiles(qualityPage(readFacts())), 'Run npm run quality.')
})

test('the commits that pages name are found, with their marks', () => {
  const named = namedCommits(root)

  assert.ok(named.length > 5, `${named.length} commits`)
  for (const page of ['docs/quality.md', 'test/mutants/README.md', 'bench/results.md', 'bench/results-postgres.md']) {
    assert.ok(
      named.some((each) => each.page === page),
      page,
    )
  }
})

test('the page of quality says which recorded commits are not in the history', () => {
  const tests = { tests: 5, pass: 5, fail: 0, skipped: 0 }
  const run: Run = { commit: '12345678', date: '2026-11-18', isGreen: true, minutes: 1, tests, figures: ['3 kills'] }
  const page = qualityPage({ ...facts, runs: { test: run }, isLost: (commit) => commit === '12345678' })

  assert.match(page, /^\| `test` \| .* \| 12345678 \(not in the history\) \| 2026-11-18 \|$/m)
  assert.match(page, /^`test`, 12345678 \(not in the history\):$/m)
})

test('a run ends with its script, also if that leaves a process behind that holds its output', async () => {
  const rest = `spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit', detached: true }).unref()`
  const script = `require('node:child_process').${rest}; console.log('done')`
  const start = performance.now()

  const { code, output } = await runCommand(process.execPath, ['-e', script], 200)

  assert.equal(code, 0)
  assert.equal(output, 'done\n')
  assert.ok(performance.now() - start < 15_000)
})
