import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { isSlow, longestAlone, measuring, ownProcess, startedFirst, testFiles } from './groups.ts'
import { digestOfMigrations } from './support/describe-postgres.ts'
import { rooms } from './mutants/rooms.ts'
import { root } from './support/sources.ts'

test('tracing is installed in the versions that it was tested with, which the page and the error name', () => {
  const read = (path: string) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, Record<string, string> | undefined>
  const { devDependencies, peerDependencies } = read('package.json')
  const tested = Object.entries(read('test/opentelemetry/package.json')['dependencies'] ?? {})
  const command = tested.map(([name, version]) => `${name}@${version}`)

  assert.equal(tested.length, 5)
  for (const path of ['docs/operating.md', 'src/cli/serving/log/tracing.ts']) {
    const text = readFileSync(join(root, path), 'utf8')
    assert.deepEqual(text.match(/@opentelemetry\/[\w-]+@[\d.]+/g), command, path)
  }
  // Its types are enough to check ours.
  const [api] = tested
  assert.deepEqual(
    Object.entries(devDependencies ?? {}).filter(([name]) => name.startsWith('@opentelemetry/')),
    [api],
  )
  // Projects with packages of their own: any version that is compatible with the tested ones.
  assert.deepEqual(peerDependencies, Object.fromEntries(tested.map(([name, version]) => [name, `^${version}`])))
})

test('the package of the server has the version and the packages of the service, but not those that bundle its pages', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, object>
  const { version, dependencies, optionalDependencies, peerDependencies } = read('package.json')
  const bundling = new Set(['esbuild', 'marked', 'preact'])
  const needed = Object.fromEntries(Object.entries(dependencies ?? {}).filter(([name]) => !bundling.has(name)))
  const server = read('server/package.json')

  assert.deepEqual(
    [server['version'], server['dependencies'], server['optionalDependencies'], server['peerDependencies']],
    [version, needed, optionalDependencies, peerDependencies],
  )
})

test('the description of the PostgreSQL schema is that of the migrations', () => {
  const folder = join(root, 'src/storage/postgres/migrations')
  const { migrations } = JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8')) as { migrations: string }

  assert.equal(migrations, digestOfMigrations(), 'run npm run make -- schema')
})

test('the package of verify has the version of the service and no dependencies', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
  const { version, dependencies, peerDependencies } = read('verify/package.json')

  assert.deepEqual([version, dependencies, peerDependencies], [read('package.json')['version'], undefined, undefined])
})

test('no file of the programs, hand-written, has more than 220 lines', () => {
  const files = ['src', 'client', 'console', 'server', 'verify', 'bench'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,css,sql}`, { cwd: root, exclude: ['**/node_modules', '**/dist'] }),
  )
  const written = files.filter((path) => !/^client\/src\/[a-z-]*contract\.ts$/.test(path))
  const long = written.filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1 > 220)

  assert.ok(written.length > 500)
  assert.deepEqual(long, [])
})

test('the groups of test files name only files that exist', () => {
  const missing = [...ownProcess, ...startedFirst, ...measuring, longestAlone].filter(
    (file) => !existsSync(join(root, file)),
  )
  assert.deepEqual(missing, [])
})

test('test:mutants changes only files that exist', () => {
  const globs = rooms.flatMap(({ parts }) => parts.flatMap(({ mutate, tests }) => [...mutate, ...tests]))
  assert.deepEqual(
    globs.filter((glob) => globSync(glob, { cwd: root }).length === 0),
    [],
  )
})

test('npm test uses a browser for one pass through the views of the console, and for nothing else', () => {
  const files = testFiles(root).filter((file) => !isSlow(file))
  const browser = /^import .* from '[./]+support\/browser\.ts'$/m
  const inBrowser = files.filter((file) => browser.test(readFileSync(join(root, file), 'utf8')))

  assert.deepEqual([...new Set(inBrowser.map(dirname))], ['test/console/views'])
})
