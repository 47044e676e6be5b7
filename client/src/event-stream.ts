import { operations } from './contract.ts'
import type { CallOptions } from './options.ts'
import { foreignResponse, hasType } from './response.ts'
import type { Transport } from './transport.ts'
import type { OpenResponse } from './response.ts'

/** Connects to the event stream after `position`, or from now on. The caller must clear the deadline. */
export async function openStream(
  transport: Transport,
  position: string | undefined,
  options: CallOptions,
): Promise<OpenResponse> {
  // An empty id resets the position: https://html.spec.whatwg.org/multipage/server-sent-events.html
  const headers = { accept: 'text/event-stream', 'last-event-id': position || undefined }
  const open = await transport.open({ operation: operations.listEvents, headers }, options)
  if (hasType(open.response, 'text/event-stream')) return open
  open.deadline.clear()
  throw foreignResponse(open.progress)
}
