import type { DeliveryStorage } from '../../../storage/shared/ports/delivery-storage.ts'
import type { Calls, Functions } from '../../../threads/calls.ts'
import type { Thread } from '../../../threads/thread.ts'
import { type DeliveryFunctions, type DeliveryOptions, runDeliveries, type StarterFunctions } from './run-deliveries.ts'

/**
 * In the place of a thread, for a database in memory, which other threads cannot see: events are delivered on the event
 * loop, as in a sandbox.
 */
export function inlineThread(
  storage: Pick<DeliveryStorage, 'version' | 'events' | 'webhooks' | 'deliveries'>,
  options: DeliveryOptions,
  functions: StarterFunctions,
): Thread<DeliveryFunctions> {
  const first = callsOf(functions)
  const open = async () => ({ ...storage, sessions: () => [], async close() {} })
  const { call } = callsOf(runDeliveries(options, { first, open, hasOwnThread: false }))
  return {
    call,
    callWithin: (_timeoutMs, name, ...input) => call(name, ...input),
    hasEnded: false,
    ended: new Promise(() => undefined),
    async end() {},
    keepProcess() {},
  }
}

function callsOf<Theirs extends Functions>(functions: Theirs): Pick<Calls<Theirs>, 'call'> {
  return { call: async (name, ...[input]) => (functions[name] as (input: unknown) => unknown)(input) as never }
}
