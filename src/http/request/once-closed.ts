import type { ServerResponse } from 'node:http'

/**
 * Calls `work` when the response was sent or its client has left. At once if that was before: a client may leave while
 * its request waits for its turn, and then there is no `close` any more.
 */
export function onceClosed(response: ServerResponse, work: () => void): void {
  if (response.destroyed) work()
  else response.once('close', work)
}
