import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultsOfNamedCommits } from '../../release/lost-commits.ts'
import { mustRun } from '../support/cache.ts'
import { temporaryFolder } from '../support/engines.ts'

test('a release is told of each measured commit that is not in the history, and of marks that are not true', (t) => {
  const root = temporaryFolder(t)
  const git = (...args: string[]) => mustRun('git', ['-C', root, ...args]).trim()
  git('init', '--quiet')
  // The pattern wants a digit: another message gives another commit.
  const commit = () => {
    for (let attempt = 0; ; attempt++) {
      const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
      git(...identity, 'commit', '--quiet', '--allow-empty', '--amend', '-m', `attempt ${attempt}`)
      const id = git('rev-parse', '--short=8', 'HEAD')
      if (/\d/.test(id)) return id
    }
  }
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'first')
  const here = commit()
  for (const folder of ['docs', 'test/mutants']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'docs/quality.md'), `${here} and 1234567a (not in the history)\n`)
  writeFileSync(join(root, 'test/mutants/README.md'), '')

  assert.deepEqual(faultsOfNamedCommits(root), [])

  writeFileSync(join(root, 'test/mutants/README.md'), `1234567a and ${here} (not in the history)\n`)

  assert.deepEqual(faultsOfNamedCommits(root), [
    'test/mutants/README.md names 1234567a, which is not in the history',
    `test/mutants/README.md says that ${here} is not in the history, but it is`,
  ])
})
