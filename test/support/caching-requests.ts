import assert from 'node:assert/strict'
import type { Answer } from './app.ts'

export function etagOf(answer: Answer): string {
  const etag = answer.headers.get('etag')
  assert.ok(etag)
  return etag
}
