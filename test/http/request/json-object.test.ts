import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../../src/inventory/errors.ts'
import { parseObject } from '../../../src/http/request/json-object.ts'

for (const bytes of ['{"name":"Rex"}', '\uFEFF{"name":"Rex"}', ' {"name": "Rex"}\n']) {
  test(`a body of ${JSON.stringify(bytes)} is an object`, () => {
    assert.equal(JSON.stringify(parseObject(Buffer.from(bytes))), '{"name":"Rex"}')
  })
}

for (const [bytes, sentence] of [
  [undefined, 'The body is missing: send one JSON object.'],
  [Buffer.alloc(0), 'The body is missing: send one JSON object.'],
  [Buffer.from('{"name":"B\xe9b\xe9"}', 'latin1'), 'The body is not valid UTF-8: send one JSON object in UTF-8.'],
  [Buffer.from('\uFEFF'), 'The body is not valid JSON: send one JSON object.'],
  [Buffer.from('\uFEFF\uFEFF{}'), 'The body is not valid JSON: send one JSON object.'],
  [Buffer.from([0xef, 0xbb, 0x7b, 0x7d]), 'The body is not valid UTF-8: send one JSON object in UTF-8.'],
  [Buffer.from('{"name":"Rex"'), 'The body is not valid JSON: send one JSON object.'],
  [Buffer.from('{"name":"\\ud800"}'), /^name .*Unicode|^name /],
  [Buffer.from('[]'), 'The body must be a JSON object, not another JSON value.'],
  [Buffer.from('null'), 'The body must be a JSON object, not another JSON value.'],
  [Buffer.from('"text"'), 'The body must be a JSON object, not another JSON value.'],
] as const) {
  test(`a body of ${bytes === undefined ? 'nothing' : JSON.stringify(bytes.toString('latin1'))} is refused`, () => {
    assert.throws(() => parseObject(bytes), {
      constructor: PetStoreError,
      code: 'invalid_body',
      fields: [],
      message: sentence,
    })
  })
}
