import { Readable } from 'node:stream'
import type { Body, Exchange } from '../exchange.ts'

/**
 * A body that is sent in parts, as fast as its client reads them. Resolves when the first part is there, and rejects if
 * it cannot be made: then the error becomes a response. After that, `failed` gets the error and the connection is cut.
 */
export async function streamText(parts: AsyncGenerator<string>, failed: (error: unknown) => void): Promise<Body> {
  const first = await parts.next()

  return ({ response }) => {
    async function* all(): AsyncGenerator<string> {
      if (first.done === true) return
      yield first.value
      yield* parts
    }
    const source = Readable.from(all(), { highWaterMark: 1 })
    source.on('error', (error) => {
      if (!response.destroyed) failed(error)
      cut(response)
    })
    response.once('close', () => source.destroy())
    source.pipe(response)
  }
}

/**
 * A file without its end must not look complete. A reset, so that the end of the connection is not taken for the end of
 * the file (HTTP/1.0). TLS has no reset.
 */
function cut(response: Exchange['response']): void {
  const { socket } = response
  if (socket !== null && 'encrypted' in socket) socket.destroy()
  else socket?.resetAndDestroy()
  response.destroy()
}
