import { operations } from './contract.ts'
import { ConnectionError } from './errors.ts'
import type { CallOptions } from './options.ts'
import type { RetryPolicy } from './read-options.ts'
import { detailsOf, foreignResponse } from './response.ts'
import { type Frame, readFrames } from './server-sent-events.ts'
import type { OpenResponse, Transport } from './transport.ts'

/** Connects to the event stream after `position`, or from now on. The caller must clear the deadline. */
export async function openStream(
  transport: Transport,
  position: string | undefined,
  options: CallOptions,
  retry: RetryPolicy,
): Promise<OpenResponse> {
  // An empty id resets the position: https://html.spec.whatwg.org/multipage/server-sent-events.html
  const headers = { accept: 'text/event-stream', 'last-event-id': position === '' ? undefined : position }
  const open = await transport.open({ operation: operations.listEvents, headers }, options, retry)
  const type = open.response.headers.get('content-type') ?? ''
  if (/^text\/event-stream\s*(;|$)/i.test(type)) return open
  open.deadline.clear()
  throw foreignResponse(open.response, open.progress)
}

/** The frames of a stream until its end. Throws a ConnectionError if the stream breaks or is silent for too long. */
export async function* readStream(
  { response, deadline, progress }: OpenResponse,
  maxSilenceMs: number,
): AsyncGenerator<Frame, void, undefined> {
  const reader = response.body?.getReader()
  try {
    yield* readFrames(async () => {
      // The timeout runs only during a read: a slow consumer is not a dead connection.
      deadline.start(maxSilenceMs)
      try {
        return (await deadline.race(Promise.resolve(reader?.read())))?.value
      } catch (error) {
        throw new ConnectionError('The stream of events broke.', detailsOf(progress, 'lost'), error)
      } finally {
        deadline.pause()
      }
    })
  } finally {
    deadline.clear()
    reader?.cancel().catch(() => undefined)
  }
}
