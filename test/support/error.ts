import assert from 'node:assert/strict'
import { type ErrorCode, errorStatus } from '../../src/contract/error.ts'
import type { Answer } from './app.ts'

/** Every response from 400 up looks like this, from every layer. */
export function assertError(answer: Answer, code: ErrorCode): void {
  const status = errorStatus[code]
  const body = answer.body as { code: unknown; message: unknown; status: unknown }

  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.match(answer.headers.get('x-request-id') ?? '', /^\S+$/)
  if (status === 429 || status === 503) assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.deepEqual(Object.keys(body).toSorted(), ['code', 'message', 'status'])
  assert.deepEqual({ code: body.code, status: body.status }, { code, status })
  assert.match(String(body.message), /^\S.*\S$/)
}
