import { setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { openForDeliveries } from '../../../storage/open-for-deliveries.ts'
import type { ThreadRelay } from '../../../storage/shared/writes/relay.ts'
import type { Calls } from '../../../threads/calls.ts'
import { type DeliveryOptions, runDeliveries, type StarterFunctions } from './run-deliveries.ts'

/** What the thread is started with. */
export interface DeliveryThreadData extends DeliveryOptions {
  databaseUrl: string
}

/** What the thread calls of the first one. None of it is called for a delivery. */
export type ThreadStarterFunctions = StarterFunctions & Pick<ThreadRelay, 'files' | 'foundDamage' | 'connect'>

/**
 * Where threads have priorities of their own, requests go first on a machine that is short of cores: this thread then
 * has about a tenth of one.
 */
const niceness = 10

export function lowerPriority(set: (niceness: number) => void = setPriority): void {
  try {
    // On other systems this would be the priority of the process.
    if (process.platform === 'linux') set(niceness)
  } catch {
    // Not allowed, as under deploy/petstore.service. It delivers all the same.
  }
}

/** Delivers events, in a thread that does nothing else. It has connections of its own to the database. */
export function run({ databaseUrl, ...options }: DeliveryThreadData, first: Calls<ThreadStarterFunctions>) {
  lowerPriority()
  const relay = {
    files: () => first.call('files'),
    foundDamage: (message: string) => first.call('foundDamage', message),
    connect: (port: MessagePort) => first.call('connect', port),
  }
  return runDeliveries(options, { first, open: () => openForDeliveries(databaseUrl, relay), hasOwnThread: true })
}
