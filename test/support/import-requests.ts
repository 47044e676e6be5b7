import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { TestApp } from './app.ts'

export const path = '/v1/pets/import'
export const csv = { 'content-type': 'text/csv' }
export const ndjson = { 'content-type': 'application/x-ndjson' }

export interface ImportResult {
  added: number
  rejected: number
  rejects: { line: number; message: string }[]
}

export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `Pet ${index + 1}`)
}

export function rows(count: number): string {
  return numbered(count)
    .map((name, index) => `{"name":"${name}","categoryId":${index % 10}}\n`)
    .join('')
}

/** An upload that the test writes piece by piece. */
export function openUpload({ origin, key }: TestApp, headers: Record<string, string>, query = '') {
  const upload = httpRequest(`${origin}${path}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  upload.on('error', () => undefined)
  return upload
}

export async function answerTo(upload: ReturnType<typeof openUpload>) {
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode, body, challenge: response.headers['www-authenticate'] ?? '' }
}

/** The number of animals when no batch is being added any more. */
export async function settledCount({ storage }: TestApp): Promise<bigint> {
  // A write of one's own comes after those that were under way.
  await storage.imports.add([])
  return storage.pets.count({})
}
