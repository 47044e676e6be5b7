import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../../inventory/caller.ts'
import { unavailable } from '../../../inventory/errors.ts'
import type { Session } from '../connection/database.ts'
import type { Result, Statement } from '../connection/statement.ts'
import { ConnectionLost, isTransient, spoilsConnection } from '../connection/errors.ts'
import { heldLinks, readAtOneState } from './held-states.ts'
import {
  type EventReads,
  inTransactions,
  onSession,
  type Reads,
  readStatementTimeout,
  type StateReads,
} from './read.ts'
import { type ReconnectingSession, openReconnectingSession } from '../connection/reconnecting-session.ts'
import type { Server } from '../connection/server.ts'
import type { Settings } from '../connection/settings.ts'

/** The read connections of the engine, to the primary or to replicas. */
export interface Readers extends Reads {
  stats(): ReaderStats
  close(): Promise<void>
}

export type PrimaryReaders = Readers & EventReads

export interface ReaderStats {
  sessions: ReturnType<typeof sessionStats>
  /** Reads without a result. */
  pending: number
}

export interface ReadersOptions {
  /** How long a read waits for its result. */
  timeoutMs?: number | undefined
  connectionCount?: number
}

/** Reads are pipelined, so a few connections carry many requests. */
const defaultConnectionCount = 4
/** With more pending reads, new ones are refused: the database cannot keep up, or hangs. */
const maxPendingReads = 2_000
/** Two sequential reads, such as a key and a list, still finish within three seconds. */
const defaultReadTimeoutMs = 2_000
/**
 * The server times out before we do, so that it does not continue without a reader. Every statement is planned once, for
 * any values: to plan a page costs as much as to read it. `enable_seqscan` is off because a plan made for a small table
 * must not scan it when it is large. Incremental sorts are off because the planner, not knowing the size of a page,
 * takes the index of another list and sorts.
 */
export const readerSettings: Settings = {
  statement_timeout: readStatementTimeout,
  enable_seqscan: 'off',
  enable_incremental_sort: 'off',
  plan_cache_mode: 'force_generic_plan',
}
/** A read that failed this fast because of its connection is retried once. */
const retryWindowMs = 500
/** A state is held no longer; each of its statements has the usual timeout. */
export const maxHeldMs = 15_000
/** If nothing is connected, another connection is started whenever this share of the timeout is over. */
const slowConnectShare = 0.2
/** The share of the timeout in which a connection is made or given up. */
const connectShare = 0.75
/** The pause before the next connection attempt after a failure. */
const reconnectPauseMs = 1_000

export function openReaders(
  server: Server,
  { timeoutMs = defaultReadTimeoutMs, connectionCount = defaultConnectionCount }: ReadersOptions = {},
): PrimaryReaders {
  const { run, readPage, readEvents } = (server.keepsSession ? onSession : inTransactions)(server)
  const links = Array.from({ length: connectionCount }, () =>
    openReconnectingSession(server, {
      timeoutMs,
      connectTimeoutMs: connectShare * timeoutMs,
      settings: readerSettings,
    }),
  )
  const { free, hold } = heldLinks(links)
  const { countPending, pending } = limitPending()
  let nextAttempt = 0
  let connecting: Promise<ReconnectingSession> | undefined

  /**
   * The least busy connection. If all are busy, another one is opened for later reads; this read does not wait for it.
   */
  function leastBusy(): ReconnectingSession | undefined {
    let best: ReconnectingSession | undefined
    let spare: ReconnectingSession | undefined
    for (const link of free()) {
      if (!link.isConnected) spare ??= link
      else if (best === undefined || link.load < best.load) best = link
    }
    if (best !== undefined && best.load > 0 && spare !== undefined && performance.now() > nextAttempt) {
      nextAttempt = performance.now() + reconnectPauseMs
      spare.connect().then(
        () => (nextAttempt = 0),
        () => undefined,
      )
    }
    return best
  }

  /** The first connection that succeeds. The next attempt starts if earlier ones are slow, but not if they fail. */
  async function connectAny(): Promise<ReconnectingSession> {
    const attempts: Promise<ReconnectingSession>[] = []
    for (const link of free()) {
      attempts.push(link.connect().then(() => link))
      const first = Promise.any(attempts).catch(({ errors }: AggregateError) => Promise.reject(errors[0]))
      const connected = await Promise.race([first, sleep(slowConnectShare * timeoutMs, undefined, { ref: false })])
      if (connected !== undefined) return connected
    }
    throw new ConnectionLost('The database could not be reached in time.')
  }

  async function connectOnce(): Promise<ReconnectingSession> {
    connecting ??= connectAny().finally(() => (connecting = undefined))
    return connecting
  }

  /** `use` gets what is left of the timeout. */
  async function attempt<Read>(use: (leftMs: number) => Promise<Read>): Promise<Read> {
    const started = performance.now()
    const leftMs = () => Math.max(timeoutMs - (performance.now() - started), 0)
    try {
      return await use(leftMs())
    } catch (error) {
      // The server was restarted or replaced: the next connection may work.
      const isConnectionsFault = error instanceof ConnectionLost || spoilsConnection(error)
      if (isConnectionsFault && performance.now() - started < retryWindowMs) return await use(leftMs())
      throw error
    }
  }

  async function explained<Read>(reading: Promise<Read>): Promise<Read> {
    try {
      return await reading
    } catch (error) {
      throw isTransient(error) ? unavailable('The animals cannot be read right now; try again.', error) : error
    }
  }

  function use<Read>(work: (session: Session) => Promise<Read>): Promise<Read> {
    return explained(
      attempt(async (leftMs) => {
        const startedAt = performance.now()
        const link = leastBusy() ?? (await connectOnce())
        return link.use(work, leftMs - (performance.now() - startedAt))
      }),
    )
  }

  function useHeld<Read>(read: (state: StateReads) => Promise<Read>, caller?: Caller, isNext?: boolean): Promise<Read> {
    const useLink = (link: ReconnectingSession | undefined) => {
      if (link === undefined) throw new ConnectionLost('The database could not be reached in time.')
      return link.use((session) => readAtOneState(session, server, timeoutMs, read), maxHeldMs)
    }
    return explained(attempt(() => hold(caller, (links) => links, useLink, isNext)))
  }

  function readUncounted(statement: Statement, values: readonly unknown[]): Promise<Result> {
    return use((session) => run(session, statement, values))
  }

  return {
    read: (statement, values = []) => countPending(() => readUncounted(statement, values)),
    countPending,
    readUncounted,
    readPage: (query) => use((session) => readPage(session, query)),
    readEvents: (query) => use((session) => readEvents(session, query)),
    hold: useHeld,
    stats: () => ({ sessions: sessionStats(links), pending: pending() }),
    async close() {
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

/** Refuses reads above the maximum of pending reads. */
export function limitPending(): Pick<Readers, 'countPending'> & { pending(): number } {
  let pending = 0
  return {
    pending: () => pending,
    async countPending(ask) {
      if (pending >= maxPendingReads) throw unavailable('Too many requests wait for the database; try again.')
      pending++
      try {
        return await ask()
      } finally {
        pending--
      }
    },
  }
}

export function sessionStats(links: readonly ReconnectingSession[]): { open: number; busy: number } {
  const open = links.filter(({ isConnected }) => isConnected)
  return { open: open.length, busy: open.filter(({ load }) => load > 0).length }
}
