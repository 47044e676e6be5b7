import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Ran, Service } from './service.ts'

export const rex = '{"name":"Rex","categoryId":1,"status":"available"}'

/** Sends a request with the key of the service, unless the headers say otherwise. */
export function ask(
  { origin, key }: Pick<Service, 'origin' | 'key'>,
  path = '/v1/pets',
  { headers = {}, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const all = { authorization: `Bearer ${key}`, ...(init.body && { 'content-type': 'application/json' }), ...headers }
  return fetch(origin + path, { ...init, headers: all })
}

/** The first 100 animals of its shop. */
export async function animals(service: Service): Promise<unknown[]> {
  const answer = await ask(service, '/v1/pets?limit=100')
  assert.equal(answer.status, 200)
  return (await answer.json()) as unknown[]
}

/** A port that somebody listens on until the test ends. */
export async function takenPort(t: TestContext): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

/** The command ended with one sentence that says why. */
export function assertRefused({ code, stdout, stderr }: Ran, sentence: RegExp): void {
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, sentence)
  assert.match(stderr, /^[^\n]+\.\n$/, 'not one sentence on one line')
  assert.doesNotMatch(stderr, / {4}at |unexpected/)
}

/** The files below a folder that contain a text. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text))
}

/** The lines of its log. */
export function logOf({ output }: Service): Record<string, unknown>[] {
  return output.stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
