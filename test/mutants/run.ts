import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres-server.ts'
import { equivalentChanges } from './equivalent-changes.ts'
import { type Part, type Room, rooms } from './rooms.ts'
import { randomNumbers } from '../../src/sandbox/random-numbers.ts'

// `npm run test:mutants`: changes the program in small ways and asks whether its tests notice. StrykerJS makes the
// changes and runs the tests; node:test prints TAP, and Node strips the types of what StrykerJS writes.
//
//   npm run test:mutants -- --room http/gates --files '*rate-limit*' --concurrency 1 --seed 1

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = fileURLToPath(new URL('.', import.meta.url))
const reports = join(folder, 'reports')

const { values: options } = parseArgs({
  options: {
    room: { type: 'string', multiple: true },
    files: { type: 'string' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
  },
})

interface Mutant {
  status: string
  replacement?: string
  location: { start: { line: number } }
}

interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>
}

interface Line {
  path: string
  number: number
}

/** Blank lines, comments, imports, and ends of what began above. */
const withoutCode = /^\s*(?:$|\/[/*]|\*|import |[\])}]+[,)]*$)/

const asked = options.room ?? rooms.map(({ name }) => name)
const unknown = asked.filter((name) => !rooms.some((room) => room.name === name))
if (unknown.length > 0) throw new Error(`There is no room ${unknown.join()}: ${rooms.map(({ name }) => name).join()}.`)
for (const { parts } of rooms) parts.forEach(filesOf)
mkdirSync(reports, { recursive: true })
const postgres = await startPostgres()
try {
  const lines: string[] = []
  for (const room of rooms) if (asked.includes(room.name)) lines.push(await mutateRoom(room))
  process.stdout.write(
    `\n| room | run | noticed | | hung | minutes |\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`,
  )
} finally {
  await postgres.stop()
}

/** Runs StrykerJS on each part of a room, and returns the line about it. */
async function mutateRoom(room: Room): Promise<string> {
  const started = performance.now()
  const files: Report['files'] = {}
  const chosen = room.sampledLines === undefined ? undefined : sampleOf(room, room.sampledLines)
  for (const part of room.parts) {
    const paths = filesOf(part).filter(
      (path) => options.files === undefined || matchesGlob(basename(path), options.files),
    )
    const mutated = chosen === undefined ? paths : chosen.filter(({ path }) => paths.includes(path)).map(toRange)
    if (mutated.length === 0) continue
    Object.assign(files, (await mutate(part, mutated)).files)
    writeFileSync(join(reports, `${room.name.replaceAll('/', '-')}.json`), JSON.stringify({ files }))
  }
  return scoreOf(room, files, (performance.now() - started) / 60_000)
}

async function mutate(part: Part, mutated: readonly string[]): Promise<Report> {
  const sandbox = mkdtempSync(join(tmpdir(), 'petstore-mutants-'))
  const config = join(sandbox, 'stryker.json')
  const report = join(sandbox, 'report.json')
  try {
    writeFileSync(config, JSON.stringify(configOf(part, mutated, report, join(sandbox, 'copies'))))
    const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
    const env = {
      ...process.env,
      // The tests run with the `node` of the path.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      // One PostgreSQL for all test files, and only for the tests that are about it.
      PETSTORE_TEST_ENGINE: 'sqlite in memory',
      PETSTORE_TEST_DATABASE_URL: postgres.url,
      PETSTORE_TEST_SERVER_IS_OURS: 'yes',
      PETSTORE_TEST_UNTIL_MS: '8000',
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    }
    const child = spawn(process.execPath, [program, 'run', config], { cwd: root, env, stdio: 'inherit' })
    const [code] = (await once(child, 'close')) as [number]
    if (code !== 0) throw new Error(`StrykerJS ended with ${code} for ${part.mutate.join()}.`)
    return JSON.parse(readFileSync(report, 'utf8')) as Report
  } finally {
    rmSync(sandbox, { recursive: true, force: true })
  }
}

function configOf({ tests }: Part, mutated: readonly string[], report: string, tempDirName: string): object {
  return {
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    tap: {
      testFiles: tests.flatMap(testFilesOf),
      // A test that hangs ends before StrykerJS ends the process, which costs twice as long.
      nodeArgs: ['-r', '{{hookFile}}', '--test-timeout=10000', '--test-reporter=tap', '{{testFile}}'],
    },
    mutate: mutated,
    // A changed text of a message or of SQL is seldom a rule; the corpus compares the messages.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    concurrency: Number(options.concurrency),
    timeoutMS: 20_000,
    ignorePatterns: [
      'bench/**',
      'deploy/**',
      'docs/images/**',
      'examples/**',
      'test/mutants/**',
      'test/corpus/recorded/**',
    ],
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false, skipFull: true },
    jsonReporter: { fileName: report },
    tempDirName,
    allowConsoleColors: false,
    // Nothing is compiled, and StrykerJS cannot read a configuration with TypeScript 7.
    tsconfigFile: 'none.json',
  }
}

function filesOf({ mutate: globs }: Part): string[] {
  return globs.flatMap((glob) => existing(glob, globSync(glob, { cwd: root }))).toSorted()
}

function testFilesOf(glob: string): string[] {
  return existing(
    glob,
    globSync(glob, { cwd: root }).filter((path) => !path.includes('/slow/')),
  )
}

function existing(glob: string, files: string[]): string[] {
  if (files.length === 0) throw new Error(`No file is ${glob}: correct test/mutants/rooms.ts.`)
  return files
}

/** Lines of a room, chosen by the seed among those with code. */
function sampleOf({ parts }: Room, count: number): Line[] {
  const lines = parts.flatMap(filesOf).flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((text, index) => ({ path, number: index + 1, text })),
  )
  const random = randomNumbers(Number(options.seed))
  return lines
    .filter(({ text }) => !withoutCode.test(text))
    .map((line) => ({ line, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ line }) => line)
}

function toRange({ path, number }: Line): string {
  return `${path}:${number}-${number}`
}

function scoreOf({ name, sampledLines }: Room, files: Report['files'], minutes: number): string {
  const mutants = Object.entries(files).flatMap(([path, { source, mutants: all }]) =>
    all.filter((mutant) => !isEquivalent(path, source, mutant)),
  )
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const all = noticed + count('Survived', 'NoCoverage')
  const share = all === 0 ? '–' : `${((100 * noticed) / all).toFixed(1)} %`
  const run = sampledLines === undefined ? 'whole' : `${sampledLines} lines, seed ${options.seed}`
  return `| ${name} | ${run} | ${noticed} of ${all} | ${share} | ${count('Timeout')} | ${minutes.toFixed(1)} |`
}

function isEquivalent(path: string, source: string, { status, replacement, location }: Mutant): boolean {
  const line = source.split('\n')[location.start.line - 1] ?? ''
  return (
    status === 'Survived' &&
    equivalentChanges.some(
      (change) => change.file === path && line.includes(change.text) && change.replacement === replacement,
    )
  )
}
