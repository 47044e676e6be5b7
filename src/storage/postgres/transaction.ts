import type { Statement } from './database.ts'

/**
 * READ COMMITTED, whatever the database's default: a statement that comes after the lock has to see what was committed
 * while it waited. The limits are local, so they hold behind a pooler too. There is none on the statements: it would
 * cancel a COMMIT that waits for a replica, and what was committed here would be lost with this server.
 */
export const begin: Statement = {
  text: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL lock_timeout = 2000; SET LOCAL idle_in_transaction_session_timeout = 5000`,
}
/** One transaction at a time, of all instances: ids are given in the order of the commits, and nobody meets a deadlock. */
export const lockCounters: Statement = {
  name: 'take_turn',
  text: "SELECT last FROM counters WHERE name = 'pets' FOR UPDATE",
}
export const commit: Statement = { text: 'COMMIT' }
