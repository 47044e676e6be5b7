import type { IncomingMessage } from 'node:http'
import type { PetStoreError } from '../../inventory/errors.ts'

const slow = new WeakSet<IncomingMessage>()
const faults = new WeakMap<IncomingMessage, AbortController>()

/**
 * Exempts a request from the time limit for its body: its operation reads the body itself and has a limit of its own.
 * The signal is aborted, with an error for the client, if the rest of the body cannot be read.
 */
export function allowSlowBody(request: IncomingMessage): AbortSignal {
  slow.add(request)
  return faultsOf(request).signal
}

export function mayBeSlow(request: IncomingMessage): boolean {
  return slow.has(request)
}

/** Tells the operation that reads the body of a request why the rest cannot be read. */
export function reportFault(request: IncomingMessage, fault: PetStoreError): void {
  faultsOf(request).abort(fault)
}

/** The fault may come before the operation begins to read. */
function faultsOf(request: IncomingMessage): AbortController {
  const known = faults.get(request)
  if (known !== undefined) return known
  const controller = new AbortController()
  faults.set(request, controller)
  return controller
}
