import { callBack } from './hooks.ts'
import type { ImportOptions, ImportSource } from './options.ts'
import type { BodySource } from './request.ts'
import { pageAddress } from './web-page.ts'

type Content = Exclude<ImportSource, () => unknown>
type Streamed = AsyncIterable<Part> | { getReader(): unknown }
type Part = string | Uint8Array

/** The body of an import. It must be closed. */
export interface ImportBody extends BodySource {
  /** Whether it can be sent again. */
  readonly isRepeatable: boolean
  /** Reads no more of the source. */
  close(): void
}

export function importBody(file: ImportSource, onProgress?: ImportOptions['onProgress']): ImportBody {
  const page = pageAddress()
  const isRepeatable = typeof file === 'function' || isWhole(file) || 'stream' in (file as object)
  /** Of the current attempt. */
  let close: (() => void) | undefined

  const source = {
    isRepeatable,
    failure: undefined as BodySource['failure'],
    async open() {
      close?.()
      let isClosed = false
      close = () => (isClosed = true)
      const content = typeof file === 'function' ? await file() : file
      if (isWhole(content) && (page || !onProgress)) return content as string
      const stream = streamOf(content, onProgress, (error) => (source.failure ??= { error }))
      // The call has ended, or made another attempt, while the function opened the file.
      if (isClosed) stream.close()
      else ({ close } = stream)
      // Over HTTP/2 only, or not at all: `fetch` would fail without a reason.
      if (page) throw new TypeError('A browser cannot send a stream: pass `await new Response(stream).blob()`.')
      return stream.body
    },
    close() {
      // Of a file that was never opened too.
      if (!isRepeatable) close ??= streamOf(file as Content).close
      close?.()
    },
  }
  return source
}

/** What `fetch` takes as it is. */
function isWhole(content: Content): boolean {
  return typeof content === 'string' || content instanceof Uint8Array || content instanceof Blob
}

/** Our own stream, because `fetch` goes on reading the body of a request that has failed. */
function streamOf(content: Content, onProgress?: ImportOptions['onProgress'], onError?: (error: unknown) => void) {
  const { next, stop } = readerOf(content)
  const encode = partEncoder()
  let controller: ReadableStreamDefaultController
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
        if (!isEmpty) {
          controller.enqueue(chunk)
          bytes += chunk.length
          callBack('onProgress', onProgress, { bytes })
        }
        if (done) return controller.close()
      }
    } catch (error) {
      if (!isClosed) onError?.(error)
      throw error
    }
  }

  function close(): void {
    isClosed = true
    controller.error(new Error('The import has ended.'))
    // Not awaited: a source may never answer.
    Promise.resolve(stop()).catch(() => undefined)
  }

  const body = new ReadableStream(
    {
      // Reads the first part at once: a generator that has not begun, such as that of an open file, ends without
      // cleaning up.
      start(own) {
        controller = own
        return pull()
      },
      pull,
      // By `fetch`.
      cancel() {
        isClosed = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, close }
}

interface Reader {
  next(): Promise<{ done?: boolean | undefined; value?: Part | undefined }>
  stop(): unknown
}

function readerOf(content: Content): Reader {
  const blob = isWhole(content) ? new Blob([content as string]) : (content as Exclude<Content, Part>)
  const source = ('stream' in blob ? blob.stream() : blob) as Streamed
  if ('getReader' in source) {
    const reader = source.getReader() as ReadableStreamDefaultReader<Part>
    return { next: () => reader.read(), stop: () => reader.cancel() }
  }
  const iterator = (source as AsyncIterable<Part, undefined>)[Symbol.asyncIterator]()
  return {
    next: () => iterator.next(),
    stop() {
      // A stream of Node: its iterator would wait for the next part first.
      ;(source as { destroy?(): void }).destroy?.()
      return iterator.return?.()
    },
  }
}

/** Encodes the parts of a file. A pair of surrogates may be split between two of them. Undefined is the end. */
function partEncoder(): (part: Part | undefined) => Uint8Array {
  const encoder = new TextEncoder()
  let highSurrogate = ''
  return (part) => {
    const isText = typeof part === 'string'
    const text = isText ? highSurrogate + part : highSurrogate
    highSurrogate = isText && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    const bytes = encoder.encode(text.slice(0, text.length - highSurrogate.length))
    if (isText || part === undefined) return bytes
    if (!(part instanceof Uint8Array)) throw new TypeError('A part of a file must be a string or bytes.')
    return bytes.length === 0 ? part : new Uint8Array([...bytes, ...part])
  }
}
