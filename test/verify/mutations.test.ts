import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../../verify/src/checks/all.ts'
import { failedChecks } from './failed-checks.ts'
import { conditionMutations } from './condition-mutations.ts'
import { modelMutations } from './model-mutations.ts'
import { mutations } from './mutations.ts'
import { stateMutations } from './state-mutations.ts'

// slow/mutations.test.ts runs them.

test('every check of the contract is failed by a mutation, and every mutation fails a check', () => {
  const failing = new Set(Object.values(failedChecks).flat())

  assert.deepEqual(
    allChecks.filter(({ id, level }) => level === 'contract' && !failing.has(id)),
    [],
  )
  assert.deepEqual(
    [...mutations, ...modelMutations, ...conditionMutations, ...stateMutations].map(({ name }) => name),
    Object.keys(failedChecks),
  )
  assert.deepEqual(
    Object.keys(failedChecks).filter((name) => failedChecks[name]?.length === 0),
    [],
  )
})
