import { howToRaise, type OpenFiles, openFiles } from '../../storage/shared/open-files.ts'
import { Failure } from '../shared/failure.ts'

/** What a service needs without any connection. No command needs more. */
const minOpenFiles = 40
/** For threads, searches, deliveries, backups and connections to PostgreSQL. */
const maxReservedFiles = 256
const maxHealthConnections = 8

/** Node and SQLite would fail later, and name another reason. */
export function refuseLowFileLimit(files = openFiles()): void {
  const fault = lowFileLimit(files)
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
export function connectionsFor({ used, limit }: OpenFiles): ConnectionCounts {
  const free = Math.max(limit - used, 2)
  const all = free - Math.min(maxReservedFiles, Math.floor(free / 2))
  const forHealth = Math.min(maxHealthConnections, Math.floor(all / 2))
  return { maxConnections: all - forHealth, maxHealthConnections: forHealth }
}
