import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortCountFormat } from '../../../console/components/format.ts'

test('numbers beside each other are all in full, or all rounded', () => {
  const format = (...counts: number[]) => counts.map(shortCountFormat(counts))

  assert.deepEqual(format(20_000, 7_834, 12), ['20,000', '7,834', '12'])
  assert.deepEqual(format(119_000, 7_834, 12), ['119K', '7.8K', '12'])
})
