import assert from 'node:assert/strict'
import type { Key, RotatedKey } from '../../src/contract/key.ts'
import type { Answer, TestApp } from './app.ts'

export const now = Date.parse('2027-01-01T00:00:00Z')
export const later = '2027-02-01T00:00:00.000Z'

/** The body of a successful answer, of which a rotation has the most members. */
export function bodyOf(answer: Answer, status = 201): RotatedKey {
  assert.equal(answer.status, status, answer.text)
  return answer.body as RotatedKey
}

export async function keysOf(app: TestApp): Promise<Key[]> {
  return (await app.send('/v1/keys')).body as Key[]
}

export function as(secret: string): { authorization: string } {
  return { authorization: `Bearer ${secret}` }
}
