import { spawnSync } from 'node:child_process'

// `npm run make -- NAME`: files of the repository that are made by a program and seldom change.

const biome = ['node_modules/@biomejs/biome/bin/biome', 'format', '--write']

/** The programs of each, one after the other. */
const makers: Record<string, readonly (readonly string[])[]> = {
  'bugs-matrix': [['test/bugs/matrix.ts']],
  'bugs-page': [['test/bugs/bugs-page.ts']],
  'bugs-table': [['test/bugs/table.ts']],
  'checks-page': [['test/verify/checks-page.ts']],
  reference: [['server/vendor-scalar.ts']],
  schema: [['test/support/describe-postgres.ts'], [...biome, 'src/storage/postgres/migrations/schema.json']],
  screenshots: [['test/console/screenshots.ts']],
}

const [name = '', ...args] = process.argv.slice(2)
const programs = makers[name]
if (programs === undefined) {
  process.stderr.write(`Name one of ${Object.keys(makers).join(', ')}.\n`)
  process.exitCode = 2
} else {
  for (const [index, program] of programs.entries()) {
    const given = index === 0 ? args : []
    process.exitCode = spawnSync(process.execPath, [...program, ...given], { stdio: 'inherit' }).status ?? 1
    if (process.exitCode !== 0) break
  }
}
