import type { ErrorCode } from '../../src/contract/error.ts'
import type { Answer, TestApp } from './app.ts'
import { assertError } from './error.ts'

export const url = 'https://shop.example.com/hook'
export const now = Date.parse('2027-01-01T00:00:00Z')
export const json = { 'content-type': 'application/json' }

export interface Shown {
  id: number
  secret: string
  [member: string]: unknown
}

export async function makeWebhook(app: TestApp): Promise<Shown> {
  return bodyOf(await app.sendJson('POST /v1/webhooks', { url }))
}

export function messageOf(answer: Answer, code: ErrorCode): string {
  assertError(answer, code)
  return (answer.body as { message: string }).message
}

export function bodyOf({ body }: Answer): Shown {
  return body as Shown
}
