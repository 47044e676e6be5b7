import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'

// `npm run make -- NAME`: files of the repository that are made by a program.

const biome = ['node_modules/@biomejs/biome/bin/biome', 'format', '--write']

/** The programs of each, one after the other. What stands behind `>` is the file for what a program prints. */
const makers: Record<string, readonly (readonly string[])[]> = {
  'bugs-matrix': [['test/bugs/matrix.ts']],
  'bugs-page': [['test/bugs/bugs-page.ts']],
  'bugs-table': [['test/bugs/table.ts']],
  'checks-page': [['test/verify/checks-page.ts']],
  corpus: [
    [
      'bin/run.js',
      'PETSTORE_RECORD_CORPUS=true',
      '--test',
      'test/corpus/corpus.test.ts',
      'test/corpus/slow/variations.test.ts',
    ],
  ],
  openapi: [
    ['src/cli/start.js', 'openapi', '>', 'openapi.json'],
    ['src/cli/start.js', 'asyncapi', '>', 'asyncapi.json'],
  ],
  reference: [['server/vendor-scalar.ts']],
  schema: [['test/support/describe-postgres.ts'], [...biome, 'src/storage/postgres/migrations/schema.json']],
  screenshots: [['test/console/screenshots.ts']],
}

// Names of what is to be made; what follows the last of them is for its program.
const names = process.argv.slice(2)
const count = names.findIndex((name) => !(name in makers))
const asked = count === -1 ? names : names.slice(0, count)
const args = count === -1 ? [] : names.slice(count)
if (asked.length === 0) {
  process.stderr.write(`Name what to make: ${Object.keys(makers).join(', ')}.\n`)
  process.exitCode = 2
}
for (const name of asked) {
  for (const [index, program] of (makers[name] ?? []).entries()) {
    process.exitCode = run(program, index === 0 && name === asked.at(-1) ? args : [])
    if (process.exitCode !== 0) process.exit()
  }
}

function run(program: readonly string[], given: readonly string[]): number {
  const end = program.indexOf('>')
  const file = end === -1 ? undefined : program[end + 1]
  const args = end === -1 ? program : program.slice(0, end)
  const output = file === undefined ? 'inherit' : openSync(file, 'w')
  return spawnSync(process.execPath, [...args, ...given], { stdio: ['inherit', output, 'inherit'] }).status ?? 1
}
