import { operations } from './contract.ts'
import { CallError, ConnectionError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { readBody } from './body-reader.ts'
import { detailsOf, foreignResponse, hasType } from './response.ts'
import { type Frame, readFrames } from './server-sent-events.ts'
import type { OpenResponse, Transport } from './transport.ts'

/** Connects to the event stream after `position`, or from now on. The caller must clear the deadline. */
export async function openStream(
  transport: Transport,
  position: string | undefined,
  options: CallOptions,
): Promise<OpenResponse> {
  // An empty id resets the position: https://html.spec.whatwg.org/multipage/server-sent-events.html
  const headers = { accept: 'text/event-stream', 'last-event-id': position === '' ? undefined : position }
  const open = await transport.open({ operation: operations.listEvents, headers }, options)
  if (hasType(open.response, 'text/event-stream')) return open
  open.deadline.clear()
  throw foreignResponse(open.progress)
}

/** The frames of a stream until its end. Throws a ConnectionError if the stream breaks or is silent for too long. */
export async function* readStream(stream: OpenResponse, maxSilenceMs: number): AsyncGenerator<Frame, void, undefined> {
  const { read, stop } = readBody(stream)
  try {
    yield* readFrames(() =>
      read(maxSilenceMs).catch((error: unknown) => {
        if (error instanceof CallError) throw error
        throw new ConnectionError('The stream of events broke.', detailsOf(stream.progress, 'lost'), error)
      }),
    )
  } finally {
    stop()
  }
}
