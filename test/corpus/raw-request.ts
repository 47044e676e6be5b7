import type { RawRequest } from './exchange.ts'

/** Replaced by the last ETag that came back. */
export const lastEtag = '<the last ETag>'

export interface Parts {
  /** An API key of the shop, named by its permission; empty for none. Default: the admin's. */
  key?: string
  headers?: readonly string[]
  body?: string | undefined
  ending?: RawRequest['ending']
}

/** A request with a fixed id, and Content-Length unless the headers frame the body. */
export function rawRequest(name: string, start: string, parts: Parts = {}): RawRequest {
  const { key = 'admin', headers = [], body = '', ending } = parts
  const isFramed = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
  const lines = [
    `${start} HTTP/1.1`,
    'Host: petstore',
    'X-Request-Id: corpus',
    ...(key === '' ? [] : [`Authorization: Bearer ${key}`]),
    ...headers,
    ...(body === '' || isFramed ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return { name, bytes: `${lines.join('\r\n')}\r\n\r\n${body}`, ...(ending && { ending }) }
}
