import { gzipSync } from 'node:zlib'
import type { Exchange, Reply } from '../exchange.ts'
import { acceptsGzip } from '../request/accept.ts'
import { etagOf, isKnown } from './etag.ts'

/** A file for all clients, in memory once per encoding. */
export interface StaticFile {
  type: string
  plain: Buffer
  /** Compressed on first use. */
  readonly gzipped: Buffer
  /** The tag of the uncompressed file; the compressed one has another. */
  etag: string
}

export function staticFile(type: string, body: string | Buffer): StaticFile {
  const plain = Buffer.from(body)
  let gzipped: Buffer | undefined
  return {
    type,
    plain,
    get gzipped() {
      return (gzipped ??= gzipSync(plain))
    },
    etag: etagOf(plain.toString('latin1')),
  }
}

export interface FileOptions {
  /** By default clients revalidate each time. */
  caching?: string
  headers?: Record<string, string>
}

/** A file, or 304 if the client has this one. */
export function fileReply(exchange: Exchange, file: StaticFile, options: FileOptions = {}): Reply {
  const isGzipped = acceptsGzip(exchange.request.headers['accept-encoding'])
  const etag = isGzipped ? file.etag.replace(/"$/, '+gzip"') : file.etag
  const headers = {
    ...options.headers,
    'content-type': file.type,
    'cache-control': options.caching ?? 'no-cache',
    etag,
  }
  const vary = 'Accept-Encoding'
  if (isKnown(exchange.request, etag)) return { status: 304, headers, vary }
  if (!isGzipped) return { status: 200, headers, vary, body: file.plain, isShared: true }
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, vary, body: file.gzipped, isShared: true }
}

/** The security headers of our pages, beside `nosniff`, which every response has. */
export function pageHeaders(contentSecurityPolicy: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
