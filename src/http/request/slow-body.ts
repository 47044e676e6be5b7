import type { IncomingMessage } from 'node:http'

const slow = new WeakSet<IncomingMessage>()

/** Exempts a request from the time limit for its body: its route has a limit of its own. */
export function allowSlowBody(request: IncomingMessage): void {
  slow.add(request)
}

export function mayBeSlow(request: IncomingMessage): boolean {
  return slow.has(request)
}
