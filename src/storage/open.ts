import type { Clock, Storage } from '../inventory/storage.ts'
import type { WriteRelay } from './relay.ts'
import { openSqlite } from './sqlite/open.ts'
import { readDatabaseUrl } from './url.ts'

export interface OpenOptions {
  clock?: Clock
  /** The process that writes for this one, for engines that have one writer. */
  relay?: WriteRelay
}

/** An open engine; with a relay where other processes may write through this one. */
export type OpenStorage = Storage & { readonly relay?: WriteRelay }

/** Opens the engine that a database URL names, with its schema up to date. */
export async function openStorage(url: string, { clock = Date.now, relay }: OpenOptions = {}): Promise<OpenStorage> {
  const { path } = readDatabaseUrl(url)
  return openSqlite(path, clock, relay)
}
