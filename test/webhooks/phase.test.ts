import assert from 'node:assert/strict'
import { test } from 'node:test'
import { next, occurrences, phases } from '../../src/webhooks/phase.ts'

test('what an endpoint does after each occurrence', () => {
  const rows = [
    ['', ...occurrences],
    ...phases.map((phase) => [phase, ...occurrences.map((each) => cell(phase, each))]),
  ]
  const table = rows
    .map((row) =>
      row
        .map((text) => text.padEnd(9))
        .join('')
        .trimEnd(),
    )
    .join('\n')

  // A dot: nothing changes.
  assert.equal(
    table,
    `
         behind   upToDate turn     failed   due      renewed  removed
idle     ready    .        .        waiting  .        .        gone
ready    .        .        sending  .        .        .        gone
sending  ready    idle     .        waiting  .        .        gone
waiting  .        .        .        .        ready    ready    gone
gone     .        .        .        .        .        .        .`.slice(1),
  )
})

function cell(...[phase, occurrence]: Parameters<typeof next>): string {
  const after = next(phase, occurrence)
  return after === phase ? '.' : after
}
