export interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** The load puts another key into each copy that it sends. */
  hasIdempotencyKey?: boolean
  /** Beside those that every request has. */
  headers?: Record<string, string>
}

/** Where an idempotency key goes: 16 characters. */
export const keyPlaceholder = '<--- the key -->'

/** A request as it goes over the wire. Every column gets the same headers, the key too, whether it looks or not. */
export function encodeRequest({ method, path, body, hasIdempotencyKey, headers = {} }: Request, key: string): string {
  const once = hasIdempotencyKey ? `Idempotency-Key: ${keyPlaceholder}\r\n` : ''
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${once}${more.join('')}`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
