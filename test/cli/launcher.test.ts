import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/engines.ts'
import { oldNode, skipWithoutOldNode } from '../support/old-node.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skip = skipWithoutOldNode

const nodePackage = `node-${process.platform}-${process.arch}`

/** The launchers in a folder of their own, with this program in the place of the Node of the packages. */
function checkoutWith(t: TestContext, program?: string): string {
  const folder = temporaryFolder(t)
  for (const part of ['bin', 'src/cli/start.js', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => path !== join(root, 'bin/node') })
  }
  const bin = join(folder, 'node_modules', nodePackage, 'bin')
  mkdirSync(bin, { recursive: true })
  if (program === undefined) return folder
  writeFileSync(join(bin, '../package.json'), '{}')
  writeFileSync(join(bin, 'node'), program, { mode: 0o755 })
  return folder
}

function runNode(path: string, args: string[]) {
  return spawnSync(path, args, { encoding: 'utf8', env: { PATH: '' } })
}

test('bin/petstore.js says what to do on a system without glibc, such as Alpine', { skip }, (t) => {
  // The system refuses it as it refuses a program whose loader is missing.
  const folder = checkoutWith(t, '#!/nowhere/ld-linux.so\n')

  const { status, stderr } = runNode(oldNode as string, [join(folder, 'bin', 'petstore.js'), '--version'])

  assert.equal(status, 1)
  assert.match(stderr, /^petstore: .* cannot be run \(ENOENT\): this system has no glibc, install Node 26 for it\.\n$/)
})

for (const file of ['bin/petstore.js', 'src/cli/start.js']) {
  test(`${file} runs with the Node that the package brings, if an older one starts it`, { skip }, () => {
    const { status, stdout, stderr } = runNode(oldNode as string, [join(root, file), '--version'])

    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })

  test(`${file} says in one sentence that there is no Node to run with`, { skip }, (t) => {
    const folder = checkoutWith(t)

    const { status, stdout, stderr } = runNode(oldNode as string, [join(folder, file), '--version'])

    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
    assert.match(stderr, /^petstore: this machine has neither Node 26 nor .* \("npm ci" in a checkout\)\.\n$/)
  })
}

test('an install with an older Node and without ours does not fail, and says what is missing', { skip }, (t) => {
  const folder = checkoutWith(t)

  const { status, stderr } = runNode(oldNode as string, [join(folder, 'bin/prepare.js')])

  assert.equal(status, 0)
  assert.match(stderr, /^petstore: this machine has neither Node 26 nor /)
})

test('an install makes bin/node, a link to the Node of the packages, and removes its headers', { skip }, (t) => {
  const folder = checkoutWith(t, '#!/bin/sh\necho "$@"\n')
  const headers = join(folder, 'node_modules', nodePackage, 'include')
  mkdirSync(join(headers, 'node'), { recursive: true })

  for (const round of [1, 2]) {
    const { status, stdout } = runNode(oldNode as string, [join(folder, 'bin/prepare.js')])

    assert.equal(status, 0, `round ${round}`)
    assert.equal(stdout, `--max-semi-space-size=8 ${join(folder, 'src/cli/compile.js')}\n`)
    assert.equal(readlinkSync(join(folder, 'bin/node')), `../node_modules/${nodePackage}/bin/node`)
    assert.equal(existsSync(headers), false)
  }
})

test('an install fails if the modules cannot be compiled', { skip }, (t) => {
  const folder = checkoutWith(t, '#!/bin/sh\n[ "$1" = --version ]\n')

  assert.equal(runNode(oldNode as string, [join(folder, 'bin/prepare.js')]).status, 1)
})

// As the loader of Linux says it.
const withoutLibrary = `#!/bin/sh
echo "$0: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file" >&2
exit 127
`
const advice =
  'petstore: the Node that the package brings needs the library libatomic.so.1, which this machine does not have: ' +
  'install it ("apt-get install libatomic1" on Debian and Ubuntu).'

for (const command of ['bin/run.js test/run.ts', 'bin/petstore.js --version', 'src/cli/start.js serve']) {
  test(`node ${command} names the library that Node 26 lacks, and how to install it`, { skip }, (t) => {
    const folder = checkoutWith(t, withoutLibrary)
    const [file = '', ...args] = command.split(' ')

    const { status, stderr } = runNode(oldNode as string, [join(folder, file), ...args])

    assert.equal(status, 1)
    assert.equal(stderr.split('\n').at(-2), advice)
  })
}

test('an install survives that Node 26 lacks a library, and says how to install it', { skip }, (t) => {
  const folder = checkoutWith(t, withoutLibrary)

  const { status, stderr } = runNode(oldNode as string, [join(folder, 'bin/prepare.js')])

  assert.equal(status, 0)
  assert.equal(stderr.split('\n').at(-2), `${advice} Then run "npm ci" again.`)
})

for (const [name, node] of [
  ['an older Node', oldNode],
  ['Node 26', process.execPath],
] as const) {
  test(`bin/run.js under ${name} runs Node 26, first in the path, with flags and variables`, { skip: !node }, () => {
    const program = 'console.log(process.version, process.env.PETSTORE_A, process.execArgv[0], process.argv[2])'
    const path = 'console.log(process.env.PATH.split(path.delimiter)[0])'
    const args = [
      join(root, 'bin/run.js'),
      'PETSTORE_A=b=c',
      '--stack-size=900',
      '-e',
      `${path};${program}`,
      'x',
      'y z',
    ]

    const { status, stdout, stderr } = runNode(node as string, args)

    const { version } = process
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    assert.equal(stdout, `${dirname(process.execPath)}\n${version} b=c --stack-size=900 y z\n`)
  })

  test(`bin/run.js under ${name} ends as the program does`, { skip: !node }, () => {
    const exited = runNode(node as string, [join(root, 'bin/run.js'), '-e', 'process.exit(127)'])
    assert.equal(exited.status, 127)
    const killed = runNode(node as string, [join(root, 'bin/run.js'), '-e', 'process.kill(process.pid, "SIGTERM")'])
    assert.equal(killed.signal, 'SIGTERM')
  })
}

test('npm start and petstore give the same flags and settings to Node; a setting of the user stays', { skip }, (t) => {
  const folder = checkoutWith(t, '#!/bin/sh\necho "$MALLOC_MMAP_THRESHOLD_ $*"\n')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, ...args] = scripts.start.split(' ')

  const started = spawnSync(oldNode as string, args, { encoding: 'utf8', cwd: folder, env: {} })
  const launch = (env: NodeJS.ProcessEnv) =>
    spawnSync(oldNode as string, ['bin/petstore.js', 'serve'], { encoding: 'utf8', cwd: folder, env }).stdout

  assert.equal(started.stdout, '131072 --max-semi-space-size=8 src/cli/start.js serve\n')
  assert.equal(launch({}), `131072 --max-semi-space-size=8 ${join(folder, 'src/cli/start.js')} serve\n`)
  assert.match(launch({ MALLOC_MMAP_THRESHOLD_: '65536' }), /^65536 /)
})
