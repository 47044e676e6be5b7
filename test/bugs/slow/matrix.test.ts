import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '../../../src/sandbox/bugs/catalogue.ts'
import { allChecks } from '../../../verify/src/checks/all.ts'
import { failedChecks, failuresWith, startMatrix } from '../matrix.ts'

// test/slow/bugs.test.ts runs all checks for all bugs, also those of the level full, which take long.

test('petstore verify finds the bugs that it found before, by the same checks', async (t) => {
  const sandbox = await startMatrix(t)

  for (const bug of catalogue) {
    const ids = failedChecks[bug.name] ?? []
    const checks = allChecks.filter(({ id, level }) => level !== 'full' && ids.includes(id))
    if (checks.length === 0) continue
    const failed = await failuresWith(sandbox, [bug], checks)
    const isSame = failed.join() === checks.map(({ id }) => id).join()
    // The response that breaks a rule may be one that a check of another level asked for.
    assert.deepEqual([bug.name, isSame ? ids : await failuresWith(sandbox, [bug])], [bug.name, ids])
  }
})

test('the table of failed checks has every bug, and only checks that there are', () => {
  const ids = new Set(allChecks.map(({ id }) => id))

  assert.deepEqual(
    Object.keys(failedChecks),
    catalogue.map(({ name }) => name),
  )
  assert.deepEqual(
    Object.values(failedChecks)
      .flat()
      .filter((id) => !ids.has(id)),
    [],
  )
})
