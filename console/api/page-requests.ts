import type { Permission } from '../../src/contract/operation.ts'
import { PageRequestError } from './failure.ts'
import type { Schemas } from './rules.ts'
import { serviceAddress } from './service.ts'
import { noteServiceTime } from './service-clock.ts'

const timeoutMs = 10_000

/** A key, its owner and permission. */
export interface KeyHolder {
  id: string
  name: string
  permission: Permission
  environment: string
  /** The name of the shop, if this is a sandbox. */
  sandbox?: string | undefined
}

/** The part of the OpenAPI document that this page reads. */
export interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; security?: { apiKey?: readonly string[] }[] }>>
  components: { schemas: Schemas }
}

export async function readKeyHolder(key: string): Promise<KeyHolder> {
  const init = { headers: { authorization: `Bearer ${key}` } }
  const { body, headers } = await request('console/key', ['id', 'name', 'permission'], init)
  noteServiceTime(headers)
  return { ...(body as KeyHolder), sandbox: headers.get('petstore-sandbox') ?? undefined }
}

export async function readApiDocument(): Promise<ApiDocument> {
  return (await request('openapi.json', ['paths', 'components'], {})).body as ApiDocument
}

/** Exchanges the code of a sign-in link for its key. */
export async function redeemCode(code: string): Promise<string> {
  const { body } = await request('console/sign-in', ['key'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return (body as { key: string }).key
}

/** A JSON object with these members. Rejects only with a PageRequestError. */
async function request(
  path: string,
  members: readonly string[],
  init: RequestInit,
): Promise<{ body: unknown; headers: Headers }> {
  const { text, status, headers } = await requestText(path, init)
  const body = parse(text)
  if (has(body, members)) return { body, headers }
  throw unexpected(status)
}

/** The text of a successful response. Rejects only with a PageRequestError. */
export async function requestText(
  path: string,
  { signal = AbortSignal.timeout(timeoutMs), ...init }: RequestInit,
): Promise<{ text: string; status: number; headers: Headers }> {
  let response: Response
  let text: string
  try {
    response = await fetch(new URL(path, serviceAddress()), { ...init, signal })
    text = await response.text()
  } catch (error) {
    throw new PageRequestError('unreachable', String(error))
  }
  const { status, headers } = response
  if (response.ok) return { text, status, headers }
  const body = parse(text)
  if (!has(body, ['code', 'message'])) throw unexpected(status)
  const { code, message } = body as { code: 'unauthorized'; message: string }
  throw new PageRequestError(code, message)
}

function unexpected(status: number): PageRequestError {
  return new PageRequestError(status >= 500 ? 'unavailable' : 'foreign', `The status was ${status}.`)
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

/** The offered operations, each with its permission. */
export function operationsOf({ paths }: ApiDocument): ReadonlyMap<string, Permission> {
  const found = Object.values(paths).flatMap((path) => Object.entries(path))
  return new Map(
    found.map(([method, { operationId, security }]) => {
      const isForAdmins = security?.some(({ apiKey = [] }) => apiKey.includes('admin')) === true
      return [operationId, isForAdmins ? 'admin' : method === 'get' ? 'read' : 'write']
    }),
  )
}
