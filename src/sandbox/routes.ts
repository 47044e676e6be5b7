import { importProgress } from '../contract/body-limit.ts'
import { checker } from '../contract/checker.ts'
import { Type } from '../contract/schema.ts'
import type { Exchange, Route } from '../http/exchange.ts'
import { emptyReply } from '../http/replies/json.ts'
import { streamText } from '../http/replies/stream-text.ts'
import { parseObject } from '../http/request/json-object.ts'
import { operationRoute } from '../http/route.ts'
import { piecesOf } from '../http/transfer/body-pieces.ts'
import { PetStoreError } from '../inventory/errors.ts'
import { boundedImage, type Images, seedImage } from './images.ts'
import { linesOf } from './lines.ts'
import { getSnapshot, maxFileBytes, putSnapshot, resetShop } from './operations.ts'
import { snapshotLines, snapshotReader } from './snapshot.ts'

export interface SandboxRoutesOptions {
  images: Images
  /** The shop as it is now, with everything that was acknowledged. */
  save(): Promise<Uint8Array>
  replace(image: Uint8Array): void
  /** Counts a request with a file, which is in memory until its response was sent. Throws if there are too many. */
  beginFile(exchange: Exchange): void
  failed: (error: Error, requestId: string) => void
}

const checkReset = checker(
  Type.Object({ seed: Type.Optional(Type.Unsafe<'empty' | 'demo'>({ type: 'string', enum: ['empty', 'demo'] })) }),
  'json',
)

/** The operations of a shop that only a sandbox has. */
export function sandboxRoutes({ images, save, replace, beginFile, failed }: SandboxRoutesOptions): Route[] {
  /** The image of the seed that a request names or sends. */
  async function chosenImage(exchange: Exchange): Promise<Uint8Array> {
    const { 'content-type': type = '' } = exchange.headers
    if (type.toLowerCase().includes('ndjson')) return seedImage(fileOf(exchange))
    if (!exchange.hasBody || exchange.headers['content-length'] === '0') return images.first
    const bytes: Buffer[] = []
    for await (const piece of bodyOf(exchange, 1024 * 1024)) bytes.push(piece)
    const body = checkReset(parseObject(Buffer.concat(bytes)) as Record<string, unknown>)
    if ('faults' in body) throw new PetStoreError('invalid_body', body.faults, body)
    return images[body.value.seed ?? 'first']
  }

  function fileOf(exchange: Exchange): AsyncGenerator<Buffer> {
    beginFile(exchange)
    return bodyOf(exchange, maxFileBytes)
  }

  async function snapshotImage(exchange: Exchange): Promise<Uint8Array> {
    const snapshot = snapshotReader()
    for await (const line of linesOf(fileOf(exchange))) snapshot.read(line)
    return boundedImage(snapshot.end())
  }

  /** Replaces the shop when the whole body was read and is valid, and not before. */
  async function replaceBy(exchange: Exchange, image: Promise<Uint8Array>) {
    try {
      replace(await image)
      return emptyReply
    } catch (error) {
      // Node discards an unread body only if nothing of it was read.
      if (exchange.hasBody && !exchange.request.complete) exchange.mustClose = true
      exchange.request.resume()
      throw error
    }
  }

  const file = { streamsBody: true, maxBodyBytes: maxFileBytes } as const
  return [
    operationRoute(resetShop, (_input, exchange) => replaceBy(exchange, chosenImage(exchange)), file),

    operationRoute(getSnapshot, async (_input, exchange) => {
      const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
      if (exchange.method === 'HEAD') return { status: 200, headers }
      beginFile(exchange)
      const image = await save()
      const body = await streamText(snapshotLines(image), (error) => failed(error as Error, exchange.requestId))
      return { status: 200, headers, body }
    }),

    operationRoute(putSnapshot, (_input, exchange) => replaceBy(exchange, snapshotImage(exchange)), file),
  ]
}

const neverStopping = new AbortController().signal

function bodyOf(exchange: Exchange, maxBytes: number): AsyncGenerator<Buffer> {
  return piecesOf(exchange.request, exchange.allowSlowBody(), { ...importProgress, maxBytes, stopping: neverStopping })
}
