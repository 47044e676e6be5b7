export interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** The load puts another key into each copy that it sends. */
  hasIdempotencyKey?: boolean
  /** The page of another origin that sends it. */
  origin?: string
}

/** Where an idempotency key goes: 16 characters. */
export const keyPlaceholder = '<--- the key -->'

/** A request as it goes over the wire. Every column gets the same headers, the key too, whether it looks or not. */
export function encodeRequest({ method, path, body, hasIdempotencyKey, origin }: Request, key: string): string {
  const once = hasIdempotencyKey ? `Idempotency-Key: ${keyPlaceholder}\r\n` : ''
  const from = origin === undefined ? '' : `Origin: ${origin}\r\n`
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${once}${from}`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
