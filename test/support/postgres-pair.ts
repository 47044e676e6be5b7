import { setTimeout as wait } from 'node:timers/promises'
import { runSql } from './postgres-databases.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

export interface PostgresPair {
  primary: PostgresServer
  /** Follows the primary. */
  standby: PostgresServer
  /** Resolves when the standby has everything that the primary has now. */
  caughtUp(): Promise<void>
  /** Promotes the standby. The old primary keeps running, if it still runs. */
  promote(): Promise<void>
}

/** A primary and a standby, removed when the test ends. If it is `synchronous`, a commit is on the disks of both. */
export async function startPair(
  t: { after(end: () => Promise<void>): void },
  { synchronous = false }: { synchronous?: boolean } = {},
): Promise<PostgresPair> {
  const primary = await startPostgres({ durable: synchronous })
  t.after(() => primary.stop())
  await primary.kill()
  const standby = await startPostgres({ standbyOf: primary, durable: synchronous })
  t.after(() => standby.stop())
  await primary.start()
  if (synchronous) {
    await runSql(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    await runSql(primary.url, 'SELECT pg_reload_conf()')
  }

  async function until(sql: string): Promise<void> {
    while ((await runSql(standby.url, sql))[0]?.[0] !== true) await wait(20)
  }

  return {
    primary,
    standby,
    async caughtUp() {
      const [[lsn] = []] = await runSql(primary.url, 'SELECT pg_current_wal_lsn()')
      await until(`SELECT pg_last_wal_replay_lsn() >= '${String(lsn)}'`)
    },
    async promote() {
      // Without waiting: a query that waits holds a snapshot, which may hold up the replay that it waits for.
      await runSql(standby.url, 'SELECT pg_promote(false)')
      await until('SELECT NOT pg_is_in_recovery()')
    },
  }
}
