import assert from 'node:assert/strict'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../support/engines.ts'
import { graceful, missing, nodeEnvironment, nodeFlags, read, root, runProgram } from './files.ts'

const unit = read('deploy/petstore.service')
const skip = missing('systemd-analyze', 'the Debian package systemd', '--version')

function directive(name: string): string {
  const found = [...unit.matchAll(/^(\w+)=(.*)$/gm)].filter(([, key]) => key === name)
  assert.equal(found.length, 1, `${name} is there ${found.length} times`)
  return found[0]?.[2] as string
}

test('the unit starts the service with the Node of the packages and the flags of npm start', () => {
  const [node, ...args] = directive('ExecStart').split(' ')

  assert.equal(node, '/opt/petstore/bin/node')
  assert.deepEqual(args, [...nodeFlags, '/opt/petstore/src/cli/start.js', 'serve'])
  for (const setting of nodeEnvironment) assert.ok(unit.includes(`\nEnvironment=${setting}\n`), setting)
})

test('every path below /opt/petstore exists in the repository', () => {
  const paths = [...unit.matchAll(/\/opt\/petstore\/([\w./-]+)/g)].map(([, path]) => path as string)

  assert.deepEqual(
    // An install makes bin/node (test/cli/launcher.test.ts).
    paths.filter((path) => path !== 'bin/node' && !existsSync(join(root, path))),
    [],
  )
})

test('the unit gives the service more time to stop than it takes', () => {
  assert.equal(directive('KillSignal'), 'SIGTERM')
  assert.ok(Number(directive('TimeoutStopSec')) > graceful)
})

test('the recipe for other commands has the user, the folder and the settings of the service', () => {
  const recipe = /^# +systemd-run (?:.*\\\n)+.*$/m.exec(unit)?.[0] ?? ''
  for (const name of ['DynamicUser', 'User', 'WorkingDirectory', 'UMask', 'EnvironmentFile']) {
    assert.ok(recipe.includes(`--property=${name}=${directive(name)}`), name)
  }
  assert.ok(recipe.includes(`--property=StateDirectory=${directive('StateDirectory').split(' ')[0]} `))
  const [, database = ''] = /^Environment=(PETSTORE_DATABASE_URL=.*)$/m.exec(unit) ?? []
  assert.ok(recipe.includes(`--setenv=${database} `))
})

test('the unit allows V8 to generate machine code', () => {
  assert.equal(directive('MemoryDenyWriteExecute'), 'no')
})

test('the unit allows netlink, which listening on 0.0.0.0 needs', () => {
  assert.match(directive('RestrictAddressFamilies'), /\bAF_NETLINK\b/)
})

test('systemd accepts the unit', { skip }, (t) => {
  const { status, output } = runProgram('systemd-analyze', 'verify', '--man=no', '--recursive-errors=no', unitFor(t))

  assert.equal(output, '')
  assert.equal(status, 0)
})

test('systemd finds the exposure of the unit to be 1.2 of 10 at most', { skip }, (t) => {
  const { status, output } = runProgram('systemd-analyze', 'security', '--offline=yes', '--threshold=12', unitFor(t))

  assert.equal(status, 0, output)
})

/** The unit as it would be if the repository lay in /opt/petstore: systemd looks whether the program is there. */
function unitFor(t: TestContext): string {
  const folder = temporaryFolder(t)
  // The path of the repository may have spaces, which a unit would have to escape.
  const repository = join(folder, 'repository')
  symlinkSync(root, repository)
  const node = join(folder, 'node')
  symlinkSync(process.execPath, node)
  const path = join(folder, 'petstore.service')
  writeFileSync(path, unit.replaceAll('/opt/petstore/bin/node', node).replaceAll('/opt/petstore/', `${repository}/`))
  return path
}
