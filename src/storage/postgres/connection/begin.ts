import type { Statement } from './statement.ts'
import { neededSettings, type Settings, setSql } from './settings.ts'

// The only door for writes: sessions are read-only, except in a transaction that begins here.

/**
 * Begins a transaction that writes: READ COMMITTED and READ WRITE, whatever the defaults of the database. A statement
 * after a lock must see what was committed during the wait.
 */
export const begin: Statement = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE' }

/**
 * Set in every transaction that writes, for itself alone: nobody can change it for a service that runs. A commit is
 * acknowledged when it is on disk and on the replicas that the server waits for; remote_apply, which waits for more, is
 * kept. There is no statement timeout: it would cancel a COMMIT that waits for a replica, and the commit would be lost
 * with this server.
 */
export const durable: Settings = { synchronous_commit: 'on' }

/** Both in one round trip. */
export const beginWriting: Statement = {
  text: `${begin.text}; ${setSql({ ...neededSettings, ...durable }, 'transaction')}`,
}
