export interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** A request as it goes over the wire. Every column gets the same headers, the key too, whether it looks or not. */
export function encodeRequest({ method, path, body }: Request, key: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
