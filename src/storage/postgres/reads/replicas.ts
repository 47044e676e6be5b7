import type { ReplicaStats } from '../../../inventory/storage-stats.ts'
import type { HealthReport } from '../../shared/errors.ts'
import type { Session } from '../connection/database.ts'
import type { Result } from '../connection/statement.ts'
import { codeOf, ConnectionLost, spoilsConnection } from '../connection/errors.ts'
import { heldLinks, readAtOneState, ReplicaBehind } from './held-states.ts'
import { inTransactions, onSession } from './read.ts'
import { limitPending, maxHeldMs, readerSettings, type Readers, sessionStats } from './readers.ts'
import { type ReconnectingSession, openReconnectingSession } from '../connection/reconnecting-session.ts'
import { watchReplicas } from './replica-watch.ts'
import type { Server } from '../connection/server.ts'

const connectionCount = 4
/** Slower reads go to the primary. */
const replicaTimeoutMs = 1_000

export interface ReplicaOptions {
  maxLagMs: number
  report?: HealthReport | undefined
}

export interface Replicas extends Readers {
  lag(): ReplicaStats
}

/**
 * Reads from replicas within `maxLagMs`, and from the primary if there is none or a replica fails. So the loss of a
 * replica fails no request.
 */
export function openReplicas(server: Server, primary: Readers, { maxLagMs, report }: ReplicaOptions): Replicas {
  const { run, readPage } = (server.keepsSession ? onSession : inTransactions)(server)
  const links = Array.from({ length: connectionCount }, () =>
    openReconnectingSession(server, { timeoutMs: replicaTimeoutMs, settings: readerSettings }),
  )
  const watch = watchReplicas({
    links,
    primary,
    maxLagMs,
    changed(problem) {
      if (problem === undefined) report?.(undefined, `The replica ${server.shown} is read again.`)
      else report?.(`The replica ${server.shown} ${problem}. The primary is read instead.`)
    },
  })

  const { free, hold } = heldLinks(links)
  const freshOf = (some: readonly ReconnectingSession[]) =>
    some.filter(({ session }) => session !== undefined && watch.isFresh(session))

  function leastBusy(): ReconnectingSession | undefined {
    const fresh = freshOf(free())
    return fresh.toSorted((one, other) => one.load - other.load)[0]
  }

  async function readOr<Read>(
    fromReplica: (session: Session) => Promise<Read>,
    fromPrimary: () => Promise<Read>,
  ): Promise<Read> {
    const link = leastBusy()
    if (link === undefined) return primary.countPending(fromPrimary)
    try {
      return await link.use(fromReplica)
    } catch (error) {
      if (!isReplicasFault(error)) throw error
      return primary.countPending(fromPrimary)
    }
  }

  function readUncounted(...query: Parameters<Readers['readUncounted']>): Promise<Result> {
    return readOr(
      (session) => run(session, ...query),
      () => primary.readUncounted(...query),
    )
  }

  const { countPending, pending } = limitPending()
  return {
    read: (statement, values = []) => countPending(() => readUncounted(statement, values)),
    countPending,
    readUncounted,
    async readPage(query) {
      const page = await readOr(
        (session) => readPage(session, query),
        () => primary.readPage(query),
      )
      // Its last page would end too soon, and one in descending order would begin too late.
      return page.isBehind ? primary.countPending(() => primary.readPage(query)) : page
    },
    hold(read, caller, isNext) {
      const useLink = async (link: ReconnectingSession | undefined) => {
        try {
          if (link !== undefined) {
            return await link.use((session) => readAtOneState(session, server, replicaTimeoutMs, read), maxHeldMs)
          }
        } catch (error) {
          if (!(error instanceof ReplicaBehind) && !isReplicasFault(error)) throw error
        }
        return primary.countPending(() => primary.hold(read, caller, isNext))
      }
      return hold(caller, freshOf, useLink, isNext)
    },
    stats: () => ({ sessions: sessionStats(links), pending: pending() }),
    lag: () => ({ isRead: leastBusy() !== undefined, lagMs: watch.lagMs() }),
    async close() {
      watch.close()
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

/**
 * No connection, a query cancelled by the replay of the log (40001), a timeout (57014), or a table or column that has
 * not been replayed yet.
 */
function isReplicasFault(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return (
    error instanceof ConnectionLost || spoilsConnection(error) || ['40001', '57014', '42P01', '42703'].includes(code)
  )
}
