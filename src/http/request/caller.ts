import type { ServerResponse } from 'node:http'
import type { Caller } from '../../inventory/caller.ts'

/** The client that waits for a response. Clients with one key are one caller: they share their turns. */
export function callerOf(response: ServerResponse, keyId: string): Caller {
  let left: AbortController | undefined
  return {
    id: keyId,
    // Made when a search asks for it: most reads do not.
    get signal() {
      if (left !== undefined) return left.signal
      const controller = (left = new AbortController())
      if (response.destroyed) controller.abort()
      else response.once('close', () => controller.abort())
      return controller.signal
    },
  }
}
