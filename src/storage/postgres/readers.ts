import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../inventory/errors.ts'
import type { Result, Session, Statement } from './database.ts'
import { ConnectionLost, isTransient, spoilsConnection } from './errors.ts'
import { inTransactions, type JudgedPage, onSession, type PageQuery } from './read.ts'
import { type ReconnectingSession, openReconnectingSession } from './reconnecting-session.ts'
import type { Server } from './server.ts'

/** What the engine reads through. */
export interface Readers {
  /** One round trip. What the database cannot do now is `unavailable`; other errors are bugs and stay what they are. */
  read(statement: Statement, values?: readonly unknown[]): Promise<Result>
  /** Counts a question that shares its round trip with others among those under way, and refuses it beyond the bound. */
  admit<Answer>(ask: () => Promise<Answer>): Promise<Answer>
  /** Reads for those who were admitted. */
  readAdmitted(statement: Statement, values: readonly unknown[]): Promise<Result>
  /** Reads a page for those who were admitted, and judges it by the histories of the very server that it came from. */
  readPage(query: PageQuery): Promise<JudgedPage>
  close(): Promise<void>
}

/** Statements are sent without waiting for one another, so a few connections carry many requests. */
const connectionCount = 4
/** Beyond this many under way, reads are refused: the database cannot keep up, or hangs. */
const maxPendingReads = 2_000
/** Two reads in a row, as a look-up of a key and a list, are still answered within three seconds. */
const readTimeoutMs = 2_000
/**
 * The server gives up before we do, so that it does not go on with what nobody waits for. And a plan that was made while a
 * table was small does not read all of it later.
 */
export const readerSettings = 'SET statement_timeout = 1500; SET enable_seqscan = off'
/** A read that failed this soon, because of its connection, is tried once more. */
const retryWindowMs = 500
/** While nothing is connected, a connection that takes longer than this is no longer waited for alone. */
const slowConnectMs = 400
/** How long the next attempt at another connection waits after one has failed. */
const reconnectPauseMs = 1_000

export function openReaders(server: Server): Readers {
  const { run, readPage } = server.keepsSession ? onSession : inTransactions(server)
  const links = Array.from({ length: connectionCount }, () =>
    openReconnectingSession(server, { timeoutMs: readTimeoutMs, settings: readerSettings }),
  )
  const admit = limitPending()
  let nextAttempt = 0
  let connecting: Promise<ReconnectingSession> | undefined

  /** The least busy connection. Where all are busy, one more is made, for those who come later: nobody waits for it. */
  function leastBusy(): ReconnectingSession | undefined {
    let best: ReconnectingSession | undefined
    let spare: ReconnectingSession | undefined
    for (const link of links) {
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

  /** The connection that is there first. The next one is begun when those before it are slow, and none if they fail. */
  async function connectAny(): Promise<ReconnectingSession> {
    const attempts: Promise<ReconnectingSession>[] = []
    for (const link of links) {
      attempts.push(link.connect().then(() => link))
      const first = Promise.any(attempts).catch(({ errors }: AggregateError) => Promise.reject(errors[0]))
      const connected = await Promise.race([first, sleep(slowConnectMs, undefined, { ref: false })])
      if (connected !== undefined) return connected
    }
    throw new ConnectionLost('The database could not be reached in time.')
  }

  async function connectOnce(): Promise<ReconnectingSession> {
    connecting ??= connectAny().finally(() => (connecting = undefined))
    return connecting
  }

  async function attempt<Read>(work: (session: Session) => Promise<Read>): Promise<Read> {
    const started = performance.now()
    const use = async () => {
      const link = leastBusy() ?? (await connectOnce())
      return link.use(work, readTimeoutMs - (performance.now() - started))
    }
    try {
      return await use()
    } catch (error) {
      // The server was restarted, or another one took its place: the next connection may be a good one.
      const isConnectionsFault = error instanceof ConnectionLost || spoilsConnection(error)
      if (isConnectionsFault && performance.now() - started < retryWindowMs) return use()
      throw error
    }
  }

  async function use<Read>(work: (session: Session) => Promise<Read>): Promise<Read> {
    try {
      return await attempt(work)
    } catch (error) {
      throw isTransient(error) ? unavailable('The animals cannot be read right now; try again.', error) : error
    }
  }

  function readAdmitted(statement: Statement, values: readonly unknown[]): Promise<Result> {
    return use((session) => run(session, statement, values))
  }

  return {
    read: (statement, values = []) => admit(() => readAdmitted(statement, values)),
    admit,
    readAdmitted,
    readPage: (query) => use((session) => readPage(session, query)),
    async close() {
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

/** Refuses what goes beyond the number of reads that may be under way. */
export function limitPending(): Readers['admit'] {
  let pending = 0
  return async (ask) => {
    if (pending >= maxPendingReads) throw unavailable('Too many requests wait for the database; try again.')
    pending++
    try {
      return await ask()
    } finally {
      pending--
    }
  }
}
