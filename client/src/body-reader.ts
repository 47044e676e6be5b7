import { malformed } from './response.ts'
import type { OpenResponse } from './transport.ts'

/** Reads the body of a response. `stop` must be called at the end. */
export function readBody({ response, deadline, progress }: OpenResponse) {
  const reader = (response.body as ReadableStream<Uint8Array> | null | undefined)?.getReader()
  return {
    /** The next bytes, undefined at the end. Rejects if they take longer than this. */
    async read(timeoutMs: number): Promise<Uint8Array | undefined> {
      if (reader === undefined) throw malformed({ progress }, 'has no body')
      // The timeout runs only during a read: a slow consumer is not a dead connection.
      deadline.start(timeoutMs)
      try {
        return (await deadline.race(reader.read())).value
      } finally {
        deadline.pause()
      }
    },
    stop(): void {
      deadline.clear()
      reader?.cancel().catch(() => undefined)
    },
  }
}
