import assert from 'node:assert/strict'
import { test } from 'node:test'
import { table } from '../../src/cli/shared/table.ts'

test('a table shows control characters of a cell instead of sending them to the terminal', () => {
  const text = table(['NAME', 'STATE'], [['\u001b[2Ka\nb\u009b', 'active']])

  assert.equal(text, `NAME${' '.repeat(21)}STATE\n\\u001b[2Ka\\u000ab\\u009b  active`)
})
