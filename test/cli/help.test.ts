import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { settings } from '../../src/cli/shared/config.ts'
import { defaultOf } from '../../src/cli/shared/setting.ts'
import { temporaryFolder } from '../support/engines.ts'
import { run, runProcess } from '../support/service.ts'

const all = Object.values(settings)

test('petstore serve --help lists every setting with its meaning, what it must be, and its default', async (t) => {
  const { code, stdout } = await run(t, ['serve', '--help'])

  assert.equal(code, 0)
  for (const setting of all) {
    const { variable, meaning, allowed } = setting
    const lines = stdout.split('\n')
    const at = lines.findIndex((line) => line.trimStart().startsWith(`${variable} `))
    assert.notEqual(at, -1, `${variable} is missing`)
    assert.ok(lines[at]?.endsWith(meaning), `${variable} lacks its meaning`)
    assert.equal(lines[at + 1]?.trim(), `Must be ${allowed}. Default: ${defaultOf(setting)}`)
  }
})

test('petstore serve --help lists no setting that is not there', async (t) => {
  const { stdout } = await run(t, ['serve', '--help'])

  const listed = new Set(stdout.match(/PETSTORE_[A-Z_]+/g))
  assert.deepEqual(listed, new Set(all.map(({ variable }) => variable)))
})

test('petstore --help lists the verbs', async (t) => {
  const { code, stdout } = await run(t, ['--help'])

  assert.equal(code, 0)
  for (const verb of [
    'serve',
    'sandbox',
    'verify',
    'listen',
    'keys',
    'webhooks',
    'migrate',
    'check',
    'doctor',
    'backup',
    'restore',
    'import',
    'imports',
    'undo-import',
    'export',
    'export-orders',
    'copy',
    'openapi',
    'asyncapi',
  ]) {
    assert.match(stdout, new RegExp(`^  ${verb}\\b`, 'm'))
  }
})

test('petstore keys --help lists what can be done to keys', async (t) => {
  const { code, stdout } = await run(t, ['keys', '--help'])

  assert.equal(code, 0)
  for (const verb of ['create', 'invite', 'list', 'revoke', 'rotate'])
    assert.match(stdout, new RegExp(`^  ${verb}\\b`, 'm'))
})

test('petstore --version is the version of the package', async (t) => {
  const { code, stdout } = await runProcess(t, ['--version'])

  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  assert.deepEqual([code, stdout], [0, `${version}\n`])
})

test('petstore openapi prints the document in the repository', async (t) => {
  const { code, stdout } = await runProcess(t, ['openapi'])

  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(stdout), JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')))
})

test('petstore migrate makes the database and says what it did', async (t) => {
  const cwd = temporaryFolder(t)
  const env = { PETSTORE_DATABASE_URL: 'sqlite:./petstore.db' }
  const first = await run(t, ['migrate'], { cwd, env })
  const second = await run(t, ['migrate'], { cwd, env })

  assert.deepEqual([first.code, first.stderr, second.code, second.stderr], [0, '', 0, ''])
  const isUpToDate = 'The database sqlite:./petstore.db is up to date'
  assert.ok(first.stdout.startsWith(`${isUpToDate}: applied 0100-first-release, 0100-imports.`), first.stdout)
  assert.equal(second.stdout, `${isUpToDate}: nothing had to be changed.\n`)
})

for (const [args, command] of [
  [['sell'], 'petstore'],
  [['serve', '--fast'], 'petstore serve'],
  [['keys', 'create'], 'petstore keys create'],
  [['keys', 'revoke'], 'petstore keys revoke'],
] as const) {
  test(`petstore ${args.join(' ')} is refused and points to the help of its command`, async (t) => {
    const { code, stdout, stderr } = await runProcess(t, [...args])

    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, new RegExp(`^petstore: [^]*\\n\\(see ${command} --help\\)\\n$`))
  })
}

test('docs/operating.md lists every setting with its default', () => {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')

  for (const { variable, fallback } of all) {
    const lines = page.split('\n').filter((line) => line.includes(variable))
    assert.notEqual(lines.length, 0, `${variable} is missing`)
    if (fallback !== undefined)
      assert.ok(
        lines.some((line) => line.includes(fallback)),
        `${variable} lacks its default`,
      )
  }
})

test('docs/operating.md lists no setting that is not there', () => {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')

  const known = new Set(all.map(({ variable }) => variable))
  for (const variable of page.match(/PETSTORE_[A-Z_]+/g) ?? []) assert.ok(known.has(variable), `${variable} is unknown`)
})
