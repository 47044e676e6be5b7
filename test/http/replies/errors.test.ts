import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../../src/inventory/errors.ts'
import { errorReply, reasonOf } from '../../../src/http/replies/errors.ts'

test('an error names its wrong fields in a header, and has none without them', () => {
  const error = (fields: string[]) => new PetStoreError('invalid_body', 'name and status are wrong.', { fields })

  assert.equal(errorReply(error(['name', 'status'])).headers['invalid-fields'], 'name, status')
  assert.ok(!('invalid-fields' in errorReply(error([])).headers))
})

for (const [what, error, reason] of [
  ['an error has its message', new Error('The disk is full.'), 'The disk is full.'],
  [
    'a cause follows',
    new Error('No event can be read.', { cause: new Error('ENOSPC') }),
    'No event can be read: ENOSPC.',
  ],
  [
    'a cause that says the same and more takes its place',
    new Error('The disk is full.', { cause: new Error('The disk is full (ENOSPC).', { cause: new Error('write') }) }),
    'The disk is full (ENOSPC): write.',
  ],
  [
    'a cause that ends as the error does stands beside it',
    new Error('is full', { cause: new Error('the disk is full') }),
    'is full: the disk is full.',
  ],
  ['an error without a message has its code', Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET.'],
  [
    'a cause without words is left out',
    new Error('The disk is full.', { cause: new Error('', { cause: new Error('write') }) }),
    'The disk is full: write.',
  ],
] as const) {
  test(`why something failed: ${what}`, () => assert.equal(reasonOf(error), reason))
}
