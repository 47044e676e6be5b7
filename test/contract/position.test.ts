import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePosition, encodePosition, isLineage } from '../../src/contract/position.ts'

test('a position is an id, with or without the name of a lineage', () => {
  for (const [text, position] of [
    ['0', { id: 0n, lineage: undefined }],
    ['17-k3x9Qa7B', { id: 17n, lineage: 'k3x9Qa7B' }],
    ['9223372036854775807', { id: 2n ** 63n - 1n, lineage: undefined }],
  ] as const) {
    assert.deepEqual(decodePosition(text), position)
    assert.equal(encodePosition(position), text)
  }
})

for (const text of [
  '',
  '-',
  '-1',
  '01',
  '+1',
  ' 1',
  '1 ',
  '1-',
  '1-k3x9Qa7',
  '1-k3x9Qa7BB',
  '1-k3x9Qa7_',
  '-k3x9Qa7B',
  'x1-k3x9Qa7B',
  '9223372036854775808',
  '10000000000000000000',
]) {
  test(`${JSON.stringify(text)} is no position`, () => {
    assert.equal(decodePosition(text), undefined)
  })
}

test('the name of a lineage is eight letters and digits', () => {
  assert.equal(isLineage('k3x9Qa7B'), true)
  for (const text of ['k3x9Qa7', 'k3x9Qa7BB', ' k3x9Qa7B', 'k3x9Qa7_']) assert.equal(isLineage(text), false)
})
