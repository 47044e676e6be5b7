import type { MadeUpAnswer } from './faulty-proxy.ts'

/** A JSON response as the service would send it. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): MadeUpAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** A response of a gateway. */
export function htmlAnswer(status: number, headers: Record<string, string> = {}): MadeUpAnswer {
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: '<h1>Hello</h1>' }
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): MadeUpAnswer {
  return jsonAnswer(status, { code, message: 'No.', status }, headers)
}

export const unavailable = refusal(503, 'unavailable', { 'retry-after': '0' })
export const rateLimited = refusal(429, 'rate_limited', { 'retry-after': new Date(0).toUTCString() })
