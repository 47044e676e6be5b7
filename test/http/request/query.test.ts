import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMalformed, parseQuery } from '../../../src/http/request/query.ts'

for (const [text, expected] of Object.entries<Record<string, string | string[]>>({
  '': {},
  'limit=5&&status=sold': { limit: '5', status: 'sold' },
  'limit&status=': { limit: '', status: '' },
  'a=b=c': { a: 'b=c' },
  'a%20b=c+d%2Be': { 'a b': 'c d+e' },
  'a=1&b=2&a=3&a=': { a: ['1', '3', ''], b: '2' },
  'constructor=1&hasOwnProperty=2': { constructor: '1', hasOwnProperty: '2' },
})) {
  test(`the query ${JSON.stringify(text)} is read as ${JSON.stringify(expected)}`, () => {
    const query = parseQuery(text)

    assert.deepEqual({ ...query }, expected)
    assert.equal(isMalformed(query), false)
  })
}

for (const text of ['a=%', 'a=%zz', '%ff=1', 'b=1&a=%2']) {
  test(`the query ${text} has a broken percent escape`, () => {
    assert.equal(isMalformed(parseQuery(text)), true)
  })
}
