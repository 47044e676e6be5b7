import { howToRaise, type OpenFiles, openFiles } from '../../storage/shared/open-files.ts'
import { type DeliveryLimits, defaultDeliveryLimits } from '../../webhooks/delivery-slots.ts'
import { Failure } from '../shared/failure.ts'

/** What a service needs without any connection. No command needs more. */
const minOpenFiles = 40
/** For threads, searches, backups and connections to PostgreSQL. */
const maxReservedFiles = 128
const maxHealthConnections = 8

/** Node and SQLite would fail later, and name another reason. */
export function refuseLowFileLimit(): void {
  const fault = lowFileLimit()
  if (fault !== undefined) throw new Failure(fault)
}

/** What is wrong with the limit of open files; undefined if it is enough to start. */
export function lowFileLimit(files = openFiles()): string | undefined {
  if (files === undefined || files.limit >= minOpenFiles) return undefined
  return `This program needs at least ${minOpenFiles} open files, and may have ${files.limit}: ${howToRaise}.`
}

export interface ConnectionCounts {
  /** How many connections may be open at once. */
  maxConnections: number
  /** How many more for /livez and /readyz alone. */
  maxHealthConnections: number
}

/** Leaves files for everything that is no connection: half of what is free, or enough for all of it. */
export function connectionsFor(files: OpenFiles): ConnectionCounts {
  const free = Math.max(files.limit - files.used, 2)
  const forDeliveries = filesOfDeliveries(files)
  const all = free - forDeliveries - Math.min(maxReservedFiles, Math.floor(free / 2) - forDeliveries)
  const forHealth = Math.min(maxHealthConnections, Math.floor(all / 2))
  return { maxConnections: all - forHealth, maxHealthConnections: forHealth }
}

/** How many deliveries may run at once: each has a connection. */
export function deliveriesFor(files: OpenFiles): DeliveryLimits {
  const { young, failing } = defaultDeliveryLimits
  const total = Math.max(filesOfDeliveries(files), 2)
  return { young: Math.min(young, total), failing: Math.min(failing, Math.ceil(total / 3)), total }
}

function filesOfDeliveries({ used, limit }: OpenFiles): number {
  return Math.min(defaultDeliveryLimits.total, Math.floor(Math.max(limit - used, 0) / 8))
}
