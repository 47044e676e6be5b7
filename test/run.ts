import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import {
  isForEveryEngine,
  isSlow,
  longestAlone,
  mayShare,
  measuring,
  runsAlone,
  startedFirst,
  startsProcesses,
  testFiles,
} from './groups.ts'
import { globalSetup, globalTeardown } from './support/global-setup.ts'

// `npm test` and `npm run test:slow` (`--slow`): all test files of that suite, or those whose path contains an argument.
// With `--again`, files that failed are run once more, alone, and both outcomes are printed.

/** More than two cores can do at once: many tests wait for a process, a server or a browser. */
const processCount = 4
/**
 * Of files that work themselves, of files that wait for others, and of files that are run on SQLite in a file. Each other
 * file has a process of its own.
 */
const batchCounts = { working: 4, waiting: 4, onFiles: 3, own: Infinity, alone: Infinity, again: Infinity }
/** For one test. Far more than it takes, also beside many busy processes. */
const timeoutMs = 300_000
/** For a suite, far more than it takes: on two cores, `npm test` takes 6 minutes and `npm run test:slow` 50. */
const suiteTimeoutMs = { quick: 30 * 60_000, slow: 80 * 60_000 }

process.chdir(join(import.meta.dirname, '..'))
const { values: options, positionals: parts } = parseArgs({
  options: { slow: { type: 'boolean', default: false }, again: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isSlowSuite = options.slow
const all = testFiles('.')
const asked = [...startedFirst, ...all.filter((file) => !startedFirst.includes(file))].filter(
  (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
)
const files = asked.filter((file) => isSlow(file) === isSlowSuite)
const onFiles = isSlowSuite ? asked.filter(isForEveryEngine) : []

/** The file of a batch that has no other: its tests may be in modules that it loads. */
const onlyFiles = new Map<string, string>()
const folder = mkdtempSync(join(tmpdir(), 'petstore-batches-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())

const shared = files.filter(mayShare)
const working = writeBatches(
  'working',
  shared.filter((file) => !startsProcesses(file)),
)
const waiting = writeBatches('waiting', shared.filter(startsProcesses))
const alone = (isChosen: (file: string) => boolean) =>
  writeBatches(
    'alone',
    files.filter((file) => runsAlone(file) && isChosen(file)),
  )
const longest = alone((file) => file === longestAlone)
const others = alone((file) => file !== longestAlone && !measuring.has(file))
const last = alone((file) => measuring.has(file))
const own = writeBatches(
  'own',
  files.filter((file) => !mayShare(file) && !runsAlone(file)),
)
// In lower case, as tags are: the tag of a test that a helper makes is the path of its file from here.
const silent = new Set([...files, ...onFiles].map((file) => resolve(file).toLowerCase()))
process.once('exit', () => {
  if (files.length + onFiles.length > 0 && silent.size === 0) return
  process.exitCode = 1
  process.stderr.write(`No test ran in ${[...silent].join(', ') || `a file like ${parts.join(', ')}`}.\n`)
})

await globalSetup(isSlowSuite ? suiteTimeoutMs.slow : suiteTimeoutMs.quick)
// Those that wait beside those that work.
await runStage([...own, ...interleave(working, waiting)], processCount)
process.env['PETSTORE_TEST_ENGINE'] = 'sqlite'
await runStage(writeBatches('onFiles', onFiles), processCount, /^sqlite: /)
delete process.env['PETSTORE_TEST_ENGINE']
await Promise.all([runStage(longest, 1), runStage(others, 1)])
await runStage(last, 1)
await globalTeardown()

async function runStage(entries: readonly string[], concurrency: number, names?: RegExp): Promise<void> {
  const first = await runEntries(entries, concurrency, names)
  let failed = first
  if (first.size > 0 && options.again && !interruption.signal.aborted) {
    process.stdout.write(`\nFAILED, AND RUN ONCE MORE: ${[...first].join(', ')}\n\n`)
    const whole = [...first].filter((path) => !asked.includes(path))
    const again = asked.filter((file) => first.has(file))
    failed = await runEntries([...whole, ...writeBatches('again', again)], 1, names)
    const passed = first.difference(failed)
    if (passed.size > 0) process.stdout.write(`\nFAILED ONCE, THEN PASSED: ${[...passed].join(', ')}\n\n`)
  }
  if (failed.size > 0) process.exitCode = 1
}

/** Returns the files with a failed test; a process that ended in the middle of many files stands for them. */
async function runEntries(entries: readonly string[], concurrency: number, names?: RegExp): Promise<Set<string>> {
  const failed = new Set<string>()
  if (entries.length === 0 || interruption.signal.aborted) return failed
  const execArgv = ['--disable-warning=ExperimentalWarning'] // Tags of tests are experimental.
  const tests = run({
    files: [...entries],
    concurrency,
    ...(names !== undefined && { testNamePatterns: names }),
    timeout: timeoutMs,
    signal: interruption.signal,
    execArgv,
  })
  for (const end of ['test:pass', 'test:fail'] as const) {
    tests.on(end, ({ name, file = '', entryFile = '', tags }) => {
      if (entries.includes(name)) return // Not a test, but a file that contains none or crashed.
      for (const path of pathsOf({ file, entryFile, tags })) silent.delete(path)
    })
  }
  tests.on('test:fail', ({ name, file = '', entryFile = '', tags }) => {
    const paths = pathsOf({ file, entryFile, tags })
    failed.add(asked.find((path) => paths.has(resolve(path).toLowerCase())) ?? (entryFile || name))
  })
  tests.compose(spec).pipe(process.stdout)
  await once(tests, 'end')
  return failed
}

/** Paths of which one is that of the test file, in lower case. */
function pathsOf({ file, entryFile, tags }: { file: string; entryFile: string; tags: readonly string[] }): Set<string> {
  const paths = [...tags, file, entryFile, onlyFiles.get(entryFile) ?? entryFile]
  return new Set(paths.map((path) => resolve(path).toLowerCase()))
}

/** Modules that load the files, which Node takes for test files. */
function writeBatches(kind: keyof typeof batchCounts, members: readonly string[]): string[] {
  const batch = pathToFileURL(resolve('test/support/batch.ts')).href
  const count = Math.min(batchCounts[kind], members.length)
  return Array.from({ length: count }, (_, index) => {
    const name = count === members.length ? `-${basename(members[index] ?? '', '.ts')}` : ''
    const path = join(folder, `${kind}-${index + 1}${name}.mjs`)
    if (count === members.length) onlyFiles.set(path, members[index] ?? '')
    const urls = members.filter((_, place) => place % count === index).map((file) => pathToFileURL(resolve(file)).href)
    writeFileSync(path, `import { runTogether } from '${batch}'\nawait runTogether(${JSON.stringify(urls)})\n`)
    return path
  })
}

/** Spreads the first list evenly over the second. */
function interleave(some: readonly string[], others: readonly string[]): string[] {
  const place = (index: number, length: number) => (index + 0.5) / length
  return [
    ...some.map((path, index) => ({ path, at: place(index, some.length) })),
    ...others.map((path, index) => ({ path, at: place(index, others.length) })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ path }) => path)
}
