import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { launcher } from '../../release/standalone.ts'
import { temporaryFolder } from '../support/engines.ts'

const skip = process.platform === 'win32' ? 'NOT TESTED: Windows has no sh' : false

/** The folder of a release with this Node, in a path with a space, and a link to its program. */
function makeProgram(t: TestContext, node: string): string {
  const outer = temporaryFolder(t)
  const folder = join(outer, 'the program')
  mkdirSync(folder)
  writeFileSync(join(folder, 'petstore'), launcher(), { mode: 0o755 })
  writeFileSync(join(folder, 'node'), node, { mode: 0o755 })
  symlinkSync(join(folder, 'petstore'), join(outer, 'petstore'))
  return join(outer, 'petstore')
}

test('./petstore of a release runs its own Node with what it was given, through a link too', { skip }, (t) => {
  const program = makeProgram(t, '#!/bin/sh\nfor word; do echo "$word"; done\n')

  const { status, stdout } = spawnSync(program, ['keys', 'create', '--name', 'two words'], { encoding: 'utf8' })

  assert.equal(status, 0)
  assert.match(stdout, /\/the program\/server\/dist\/src\/cli\/start\.js\nkeys\ncreate\n--name\ntwo words\n$/)
})

test('./petstore of a release says what to install where its Node cannot be loaded', { skip }, (t) => {
  const loader = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file'
  const program = makeProgram(t, `#!/bin/sh\necho '${loader}' >&2\nexit 127\n`)

  const { status, stderr } = spawnSync(program, ['serve'], { encoding: 'utf8' })

  assert.equal(status, 1)
  assert.equal(
    stderr,
    `${loader}\npetstore: Node cannot be loaded here. It needs glibc, libstdc++ and libatomic ` +
      '("apt-get install libatomic1 libstdc++6" on Debian and Ubuntu).\n',
  )
})
