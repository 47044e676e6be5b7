import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { codeOf, ConnectionLost, explainReplica, IsPrimary } from '../connection/errors.ts'
import { askLineage, checkPositionBy } from '../schema/lineage.ts'
import { latestSchema } from '../schema/migrate.ts'
import type { Readers } from './readers.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'

/** Checks replicas about once a second, each through the connection that serves reads. */
export interface ReplicaWatch {
  /** Whether reads on this connection are within the maximum lag. */
  isFresh(session: Session): boolean
  /** Of the connection that is furthest behind, among those whose lag is known. */
  lagMs(): number | undefined
  close(): void
}

export interface ReplicaWatchOptions {
  links: readonly ReconnectingSession[]
  primary: Readers
  maxLagMs: number
  /**
   * Called when replicas become unreadable, with the reason, once for each reason, and with undefined when one is
   * readable again.
   */
  changed: (problem: string | undefined) => void
}

const intervalMs = 1_000
const probeTimeoutMs = 1_000
/** Remembered log positions of the primary: enough for any sensible lag. */
const maxSamples = 600

/** The end of the primary's log. */
const askLog: Statement = { name: 'end_of_log', text: 'SELECT pg_current_wal_lsn()::text' }
const probe: Statement = {
  name: 'replica',
  text: `
    SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn()::text, (SELECT max(number) FROM petstore_migrations),
        (SELECT id FROM lineages ORDER BY number DESC LIMIT 1), last
      FROM counters WHERE name = 'events'`,
}
type ProbeRow = [isReplica: boolean, replayed: string | null, schema: number, lineage: string | null, lastEvent: bigint]

/** A log position of the primary, and a time at which the log had not passed it. */
interface Sample {
  lsn: bigint
  at: number
}

/**
 * A replica is as fresh as the newest sample that it has replayed: it has everything committed before. So the lag needs
 * no second clock, and a quiet shop does not look like a stuck replica.
 */
export function watchReplicas({ links, primary, maxLagMs, changed }: ReplicaWatchOptions): ReplicaWatch {
  const samples: Sample[] = []
  const freshAt = new WeakMap<Session, number>()
  const schema = latestSchema()
  /** Hosts may fail for reasons of their own, in turn: each reason is reported once. */
  const reported = new Set<string>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function isFresh(session: Session): boolean {
    return performance.now() - (freshAt.get(session) ?? -Infinity) <= maxLagMs
  }

  async function takeSample(): Promise<void> {
    const at = performance.now()
    const { rows } = await primary.read(askLog)
    samples.push({ lsn: toLsn((rows[0] as [string])[0]), at })
    if (samples.length > maxSamples) samples.shift()
  }

  /** Why the replica of a connection cannot be read; undefined if it can. */
  async function problemWith(link: ReconnectingSession): Promise<string | undefined> {
    const session = await link.connect()
    const { rows } = await link.use((open) => open.run(probe), probeTimeoutMs)
    const [isReplica, replayed, replicaSchema, lineage, lastEvent] = rows[0] as ProbeRow
    if (!isReplica) throw new ConnectionLost('It was promoted.', { cause: new IsPrimary() })
    if (replicaSchema < schema) return behindOnSchema
    // Read after the replica: the primary has at least as much, unless they belong to different shops.
    const after = { id: lastEvent, lineage: lineage ?? undefined }
    if (checkPositionBy({ after, last: undefined }, await primary.read(askLineage, [lineage])).isLost)
      return 'has data that the primary does not have'
    const seen = samples.findLast(({ lsn }) => replayed !== null && lsn <= toLsn(replayed))
    if (seen !== undefined) freshAt.set(session, seen.at)
    return isFresh(session) ? undefined : `is more than ${maxLagMs / 1_000} s behind`
  }

  async function problemOf(link: ReconnectingSession): Promise<string | undefined> {
    try {
      return await problemWith(link)
    } catch (error) {
      const cause = error instanceof ConnectionLost ? error.cause : error
      if (cause instanceof IsPrimary) link.session?.drop('The server is not a replica.')
      return codeOf(cause) === '42P01' ? behindOnSchema : explainReplica(cause)
    }
  }

  async function check(): Promise<void> {
    // Without the primary the lag is unknown: the earlier samples expire.
    await takeSample().catch(() => undefined)
    const problems = await Promise.all(links.map(problemOf))
    const found = problems.includes(undefined) ? undefined : problems[0]
    if (isClosed) return
    if (found === undefined ? reported.size > 0 : !reported.has(found)) changed(found)
    if (found === undefined) reported.clear()
    else reported.add(found)
    timer = setTimeout(() => void check(), Math.min(intervalMs, maxLagMs / 4)).unref()
  }

  void check()
  return {
    isFresh,
    lagMs() {
      const known = links.flatMap(({ session }) => (session && freshAt.get(session)) ?? [])
      return known.length === 0 ? undefined : performance.now() - Math.min(...known)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

const behindOnSchema = 'has not replayed the latest migration'

/** Parses a log position, whose two halves PostgreSQL writes in hexadecimal. */
function toLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
