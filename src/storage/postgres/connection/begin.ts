import type { Statement } from './database.ts'

/**
 * Begins a transaction that writes: READ COMMITTED and READ WRITE, whatever the defaults of the database. A statement
 * after a lock must see what was committed during the wait.
 */
export const begin: Statement = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE' }

/**
 * Set in every transaction that writes, for itself alone: so they work behind a pooler, and nobody can change them for
 * a service that runs. A commit is acknowledged when it is on disk and on the replicas that the server waits for;
 * remote_apply, which waits for more, is kept.
 */
export const transactionSettings = `set_config('jit', 'off', true), set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`

/** Both in one round trip. */
export const beginWriting: Statement = { text: `${begin.text}; SELECT ${transactionSettings}` }
