import type { ServerResponse } from 'node:http'
import { maxSeconds } from './fault-rules.ts'
import { beforeResetMs } from './partial-replies.ts'

export function cutAfter(response: ServerResponse, ms: number): void {
  const timer = setTimeout(() => response.socket?.destroy(), ms).unref()
  response.once('close', () => clearTimeout(timer))
}

type Write = (bytes: Buffer | string, written?: () => void) => boolean

/** Sends the first part of a file, and then nothing more. */
export function resetAfterWrite(response: ServerResponse): void {
  const write = response.write.bind(response) as Write
  const changed: Write = (bytes, written) => {
    const result = write(bytes, written)
    response.write = () => false
    response.end = () => response
    setTimeout(() => response.socket?.resetAndDestroy(), beforeResetMs).unref()
    return result
  }
  response.write = changed as typeof response.write
}

/** Changes what an event stream sends, from its first event on. */
export function disturbStream(name: string, response: ServerResponse, seconds: number | undefined): void {
  const write = response.write.bind(response) as Write
  let isStalled = false
  const changed: Write = (bytes, written) => {
    if (isStalled) {
      if (written !== undefined) setImmediate(written)
      return true
    }
    if (!bytes.includes('data: ')) return write(bytes, written)
    if (name === 'repeat-event') write(bytes)
    const result = write(bytes, written)
    if (name === 'end-stream' && seconds === undefined) response.end()
    if (name === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), beforeResetMs).unref()
    if (name === 'stall-stream') {
      isStalled = true
      // The stream would notice that it is silent.
      response.setTimeout(0)
      cutAfter(response, maxSeconds * 1000)
    }
    return result
  }
  response.write = changed as typeof response.write
  if (name !== 'end-stream' || seconds === undefined) return
  const timer = setTimeout(() => response.end(), seconds * 1000).unref()
  response.once('close', () => clearTimeout(timer))
}
