import { Readable } from 'node:stream'
import type { Body, Outgoing } from '../exchange.ts'

/**
 * A body that is sent in parts, as fast as its client reads them. Resolves when the first part is there, and rejects if
 * it cannot be made: then the error becomes a response. After that, `failed` gets the error and the connection is cut.
 */
export async function streamText(parts: AsyncGenerator<string>, failed: (error: unknown) => void): Promise<Body> {
  const first = await parts.next()

  return (outgoing) => {
    async function* all(): AsyncGenerator<string> {
      if (first.done === true) return
      yield first.value
      yield* parts
    }
    const source = Readable.from(all(), { highWaterMark: 1 })
    source.on('error', (error) => {
      if (!outgoing.destroyed) failed(error)
      cut(outgoing)
    })
    outgoing.once('close', () => source.destroy())
    source.pipe(outgoing)
  }
}

/**
 * A file without its end must not look complete. A reset, so that the end of the connection is not taken for the end of
 * the file (HTTP/1.0). TLS has no reset.
 */
function cut(outgoing: Outgoing): void {
  const { socket } = outgoing
  if (socket !== null && 'encrypted' in socket) socket.destroy()
  else socket?.resetAndDestroy()
  outgoing.destroy()
}
