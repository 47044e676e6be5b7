import type { Permission } from '../../src/contract/operation.ts'
import { PageRequestError } from './failure.ts'
import type { Schemas } from './rules.ts'
import { serviceAddress } from './service.ts'

const timeoutMs = 10_000

/** A key, its owner and permission. */
export interface KeyHolder {
  id: string
  name: string
  permission: Permission
  environment: string
}

/** The part of the OpenAPI document that this page reads. */
export interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; security?: { apiKey: readonly string[] }[] }>>
  components: { schemas: Schemas }
}

export async function readKeyHolder(key: string): Promise<KeyHolder> {
  return request('console/key', ['id', 'name', 'permission'], { headers: { authorization: `Bearer ${key}` } })
}

export async function readApiDocument(): Promise<ApiDocument> {
  return request('openapi.json', ['paths', 'components'], {})
}

/** Exchanges the code of a sign-in link for its key. */
export async function redeemCode(code: string): Promise<string> {
  const { key } = await request<{ key: string }>('console/sign-in', ['key'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return key
}

/** A JSON object with these members. Rejects only with a PageRequestError. */
async function request<Result>(path: string, members: readonly string[], init: RequestInit): Promise<Result> {
  let response: Response
  let body: unknown
  try {
    response = await fetch(new URL(path, serviceAddress()), { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    body = parse(text)
  } catch (error) {
    throw new PageRequestError('unreachable', String(error))
  }
  if (response.ok && has(body, members)) return body as Result
  if (!response.ok && has(body, ['code', 'message'])) {
    const { code, message } = body as { code: 'unauthorized'; message: string }
    throw new PageRequestError(code, message)
  }
  throw new PageRequestError(response.status >= 500 ? 'unavailable' : 'foreign', `The status was ${response.status}.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function has(body: unknown, members: readonly string[]): boolean {
  return typeof body === 'object' && body !== null && members.every((member) => Object.hasOwn(body, member))
}
