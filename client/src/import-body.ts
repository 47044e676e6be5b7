import type { ImportSource } from './options.ts'
import { pageAddress } from './web-page.ts'

/** The body of an import. It must be closed. */
export interface ImportBody {
  readonly body: RequestInit['body']
  /** Whether it can be sent again. */
  readonly isRepeatable: boolean
  /** The error of the source, if reading it failed. */
  readonly failure?: { readonly error: unknown } | undefined
  /** Reads no more of the source. */
  close(): void
}

/** Browsers send streams over HTTP/2 only, or not at all: there a stream is read before it is sent. */
export async function openImportBody(
  file: ImportSource,
  signal: AbortSignal | null | undefined,
  maxBufferedBytes = 64 * 1024 * 1024,
): Promise<ImportBody> {
  if (typeof file === 'string' || file instanceof Uint8Array || 'size' in file) {
    return { body: file as string, isRepeatable: true, close: () => undefined }
  }
  if (pageAddress() === undefined) return streamOf(file, Infinity)
  const stream = streamOf(file, maxBufferedBytes)
  signal?.addEventListener('abort', stream.close)
  try {
    return { ...stream, body: await new Response(stream.body).blob(), isRepeatable: true }
  } catch (error) {
    signal?.throwIfAborted()
    throw stream.failure?.error ?? error
  } finally {
    signal?.removeEventListener('abort', stream.close)
    stream.close()
  }
}

/** Our own stream, because `fetch` goes on reading the body of a request that has failed. */
function streamOf(file: Exclude<ImportSource, string>, maxBytes: number): ImportBody & { body: ReadableStream } {
  const { next, stop } = readerOf(file)
  const encode = partEncoder()
  let controller: ReadableStreamDefaultController
  let failure: ImportBody['failure']
  let isClosed = false
  let bytes = 0

  async function pull(): Promise<void> {
    try {
      // An empty chunk could be taken for the end.
      for (let isEmpty = true; isEmpty; ) {
        const { done, value } = await next()
        const chunk = encode(value)
        if (isClosed) return
        isEmpty = chunk.length === 0
        bytes += chunk.length
        if (bytes > maxBytes)
          throw new TypeError(`A browser cannot send a stream above ${maxBytes} bytes: pass a Blob.`)
        if (!isEmpty) controller.enqueue(chunk)
        if (done === true) return controller.close()
      }
    } catch (error) {
      if (isClosed) return
      failure = { error }
      controller.error(error)
    }
  }

  return {
    body: new ReadableStream(
      {
        // Reads the first part at once: a generator that has not begun, such as that of an open file, ends without
        // cleaning up.
        start(own) {
          controller = own
          return pull()
        },
        pull,
      },
      { highWaterMark: 0 },
    ),
    isRepeatable: false,
    get failure() {
      return failure
    },
    close() {
      if (isClosed) return
      isClosed = true
      controller.error(new Error('The import has ended.'))
      // Not awaited: a source may never answer.
      Promise.resolve(stop()).catch(() => undefined)
    },
  }
}

type Part = string | Uint8Array

interface Reader {
  next(): Promise<{ done?: boolean | undefined; value?: Part | undefined }>
  stop(): unknown
}

function readerOf(file: Exclude<ImportSource, string>): Reader {
  if ('getReader' in file) {
    const reader = file.getReader() as ReadableStreamDefaultReader<Part>
    return { next: () => reader.read(), stop: () => reader.cancel() }
  }
  const iterator = (file as AsyncIterable<Part, undefined>)[Symbol.asyncIterator]()
  return { next: () => iterator.next(), stop: () => iterator.return?.() }
}

/** Encodes the parts of a file. A pair of surrogates may be split between two of them. Undefined is the end. */
function partEncoder(): (part: Part | undefined) => Uint8Array {
  const encoder = new TextEncoder()
  let highSurrogate = ''
  return (part) => {
    const text = highSurrogate + (typeof part === 'string' ? part : '')
    highSurrogate = (typeof part === 'string' && /[\ud800-\udbff]$/.exec(text)?.[0]) || ''
    const bytes = encoder.encode(text.slice(0, text.length - highSurrogate.length))
    if (typeof part !== 'object') return bytes
    return bytes.length === 0 ? part : new Uint8Array([...bytes, ...part])
  }
}
