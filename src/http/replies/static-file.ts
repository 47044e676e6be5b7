import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from '../request/accept.ts'
import { etagOf, isKnown } from './etag.ts'
import { addVary } from './json-reply.ts'
import { sendShared } from './shared-bytes.ts'

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

/** Sends a file, or 304 if the client has this one. By default clients revalidate each time. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  caching = 'no-cache',
): FastifyReply {
  const isGzipped = acceptsGzip(request.headers['accept-encoding'])
  const etag = isGzipped ? file.etag.replace(/"$/, '+gzip"') : file.etag
  addVary(reply, 'Accept-Encoding')
  reply.headers({ 'content-type': file.type, 'cache-control': caching, etag })
  if (isKnown(request, etag)) return reply.code(304).send()
  if (!isGzipped) return sendShared(reply, file.plain)
  return sendShared(reply.header('content-encoding', 'gzip'), file.gzipped)
}
