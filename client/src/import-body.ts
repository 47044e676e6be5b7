import { callBack } from './callback.ts'
import type { ImportOptions, ImportSource } from './options.ts'
import { pageAddress } from './web-page.ts'

type Content = Exclude<ImportSource, () => unknown>
type Streamed = AsyncIterable<Part> | { getReader(): unknown }
type Part = string | Uint8Array

/** The body of an import. It must be closed. */
export interface ImportBody {
  /** Whether it can be sent again. */
  readonly isRepeatable: boolean
  /** The error of the source, if reading it failed. */
  readonly failure: { readonly error: unknown } | undefined
  /** The body of the next attempt. */
  open(): Promise<RequestInit['body']>
  /** Reads no more of the source. */
  close(): void
}

export function importBody(file: ImportSource, onProgress?: ImportOptions['onProgress']): ImportBody {
  const isOnPage = pageAddress() !== undefined
  let current: SourceStream | undefined

  return {
    isRepeatable: typeof file === 'function' || isWhole(file),
    get failure() {
      return current?.failure
    },
    async open() {
      current?.close()
      const content = typeof file === 'function' ? await file() : file
      if (isWhole(content) && (isOnPage || onProgress === undefined)) return content as string
      current = streamOf(isWhole(content) ? new Blob([content as string]).stream() : content, onProgress)
      // Over HTTP/2 only, or not at all: `fetch` would fail without a reason.
      if (isOnPage) throw new TypeError('A browser cannot send a stream: pass `await new Response(stream).blob()`.')
      return current.body
    },
    close() {
      // Of a file that was never opened too.
      if (typeof file !== 'function' && !isWhole(file)) current ??= streamOf(file)
      current?.close()
    },
  }
}

function isWhole(content: Content): content is Exclude<Content, Streamed> {
  return typeof content === 'string' || content instanceof Uint8Array || 'size' in content
}

interface SourceStream {
  readonly body: ReadableStream
  readonly failure: ImportBody['failure']
  close(): void
}

/** Our own stream, because `fetch` goes on reading the body of a request that has failed. */
function streamOf(source: Streamed, onProgress?: ImportOptions['onProgress']): SourceStream {
  const { next, stop } = readerOf(source)
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
        if (!isEmpty) {
          controller.enqueue(chunk)
          callBack('onProgress', onProgress, { bytes })
        }
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

interface Reader {
  next(): Promise<{ done?: boolean | undefined; value?: Part | undefined }>
  stop(): unknown
}

function readerOf(source: Streamed): Reader {
  if ('getReader' in source) {
    const reader = source.getReader() as ReadableStreamDefaultReader<Part>
    return { next: () => reader.read(), stop: () => reader.cancel() }
  }
  const iterator = (source as AsyncIterable<Part, undefined>)[Symbol.asyncIterator]()
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
