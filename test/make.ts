import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

// `npm run make -- NAME`: files of the repository that are made by a program. `npm run make -- NAME -- ARGUMENTS` passes
// arguments to it: npm keeps the first `--` for itself.

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

// Names of what is to be made; what follows a `--` is for the program of the last of them.
const given = process.argv.slice(2)
const end = given.includes('--') ? given.indexOf('--') : given.length
const names = given.slice(0, end)
const unknown = names.find((name) => !Object.hasOwn(makers, name))
const known = `${Object.keys(makers).join(', ')}.\n`
if (unknown !== undefined) refuse(`There is no ${unknown} to be made. There are ${known}`)
if (names.length === 0) refuse(`Name what to make: ${known}`)
for (const [nth, name] of names.entries()) {
  for (const [index, program] of (makers[name] ?? []).entries()) {
    const status = run(program, index === 0 && nth === names.length - 1 ? given.slice(end + 1) : [])
    if (status !== 0) process.exit(status)
  }
}

function refuse(sentence: string): never {
  process.stderr.write(sentence)
  process.exit(2)
}

/** A file is replaced when its program has succeeded. */
function run(program: readonly string[], more: readonly string[]): number {
  const end = program.indexOf('>')
  const file = end === -1 ? undefined : program[end + 1]
  const args = [...(end === -1 ? program : program.slice(0, end)), ...more]
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['inherit', file === undefined ? 'inherit' : 'pipe', 'inherit'],
    maxBuffer: Infinity,
  })
  if (file !== undefined && status === 0) writeFileSync(file, stdout)
  return status ?? 1
}
