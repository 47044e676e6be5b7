import { CallError } from './errors.ts'
import { endedEarly, malformed, timedOut } from './response.ts'
import type { OpenResponse } from './response.ts'

/** The parts of the body of a response, each within `timeoutMs`, until its end. */
export async function* readParts(
  { response, deadline, progress }: OpenResponse,
  timeoutMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array> | null | undefined)?.getReader()
  try {
    if (!reader) throw malformed({ progress }, 'has no body')
    for (;;) {
      // The timeout runs only during a read: a slow consumer is not a dead connection.
      deadline.start(timeoutMs)
      const { value } = await deadline.race(reader.read())
      deadline.pause()
      if (!value) return
      yield value
    }
  } catch (error) {
    if (deadline.isExpired) throw timedOut(progress, timeoutMs)
    deadline.signal.throwIfAborted()
    throw error instanceof CallError ? error : endedEarly(progress, error)
  } finally {
    deadline.clear()
    reader?.cancel().catch(() => undefined)
  }
}
