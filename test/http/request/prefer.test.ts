import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferencesOf } from '../../../src/http/request/prefer.ts'
import { readHeaders } from '../../../src/http/request/request-headers.ts'

for (const [header, expected] of Object.entries<Record<string, string>>({
  '': {},
  'handling=strict': { handling: 'strict' },
  'HANDLING = Strict': { handling: 'strict' },
  respond: { respond: '' },
  'handling=strict; wait=5': { handling: 'strict' },
  'count=exact, handling="strict"': { count: 'exact', handling: 'strict' },
  'handling=strict, handling=lenient': { handling: 'strict' },
  'x="a, handling=strict"': { x: 'a, handling=strict' },
  // An unfinished text ends with the header, also behind a backslash.
  'a=b, handling="strict': { a: 'b' },
  'a=b, c="\\': { a: 'b' },
  // Invalid ones are ignored, those beside them are not.
  'handling strict, a=b': { a: 'b' },
  'handling=strict x, a=b': { a: 'b' },
  'handling==strict, a=b': { a: 'b' },
  'handling==, a=b': { a: 'b' },
  '=strict, a=b': { a: 'b' },
  '"handling"=strict, a=b': { a: 'b' },
})) {
  test(`the preferences of ${JSON.stringify(header)} are ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(Object.fromEntries(preferencesOf({ headers: readHeaders(['Prefer', header]) })), expected)
  })
}

test('without the header there are no preferences', () => {
  assert.equal(preferencesOf({ headers: readHeaders([]) }).size, 0)
})
