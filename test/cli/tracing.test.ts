import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onChange } from '../../src/cli/serving/log/tracing.ts'

test('a collector of traces that fails again and again is told once, and so is its recovery', () => {
  const told: (string | undefined)[] = []
  const report = onChange((problem) => told.push(problem))

  for (const problem of [undefined, 'refused', 'refused', 'timeout', undefined, undefined, 'refused']) report(problem)

  assert.deepEqual(told, ['refused', undefined, 'refused'])
})
