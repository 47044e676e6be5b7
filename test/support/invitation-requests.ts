import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { CreatedInvitation, Invitation } from '../../src/contract/invitation.ts'
import { type Answer, startApp, type TestApp } from './app.ts'

export const now = Date.parse('2027-01-01T00:00:00Z')
export const anna = { name: 'Anna', permission: 'write' }

export function as(secret: string): { authorization: string } {
  return { authorization: `Bearer ${secret}` }
}

export async function startAt(t: TestContext, options: Parameters<typeof startApp>[1] = {}) {
  const clock = { now }
  return { clock, ...(await startApp(t, { clock: () => clock.now, ...options })) }
}

export async function invite(
  app: Pick<TestApp, 'sendJson'>,
  body: object = anna,
  headers = {},
): Promise<CreatedInvitation> {
  const answer = await app.sendJson('POST /v1/invitations', body, headers)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as CreatedInvitation
}

export function redeem({ send }: Pick<TestApp, 'send'>, token: string, headers = {}): Promise<Answer> {
  return send('/v1/invitations/redeem', { method: 'POST', headers: { ...as(token), ...headers } })
}

export function current({ send }: Pick<TestApp, 'send'>, token: string, headers = {}): Promise<Answer> {
  return send('/v1/invitations/current', { headers: { ...as(token), ...headers } })
}

export async function list({ send }: Pick<TestApp, 'send'>): Promise<Invitation[]> {
  return (await send('/v1/invitations')).body as Invitation[]
}
