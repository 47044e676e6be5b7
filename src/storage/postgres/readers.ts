import { unavailable } from '../../inventory/errors.ts'
import {
  codeOf,
  ConnectionLost,
  IsStandby,
  isTransient,
  type Result,
  type Session,
  type Statement,
} from './database.ts'
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
  close(): Promise<void>
}

/** Connections of one process. Statements are sent without waiting for one another, so a few carry many requests. */
const size = 4
/** Beyond this many under way, reads are refused: the database cannot keep up, or hangs. */
const bound = 2_000
/** How long a read may take. Two in a row, as a look-up of a key and a list, are still answered within three seconds. */
const patience = 2_000
/** The server gives up before we do, so that it does not go on with what nobody waits for. */
const settings = 'SET statement_timeout = 1500'
/** A read that failed this soon because its connection was lost is tried once more, in milliseconds. */
const soon = 500
/** How long the next attempt at another connection waits after one has failed. */
const pause = 1_000

// A standby refuses it.
const beginOnPrimary: Statement = { text: 'BEGIN READ WRITE' }
const commit: Statement = { text: 'COMMIT' }

export function openReaders(server: Server): Readers {
  const runOn = server.role === 'primary' && !server.keepsSession ? runOnPrimary : runAlone
  const links = Array.from({ length: size }, () => openReconnectingSession(server, { patience, settings }))
  let load = 0
  let nextAttempt = 0

  /** The least busy connection. Where all are busy, one more is made, for those who come later: nobody waits for it. */
  function choose(): ReconnectingSession {
    let best: ReconnectingSession | undefined
    let spare: ReconnectingSession | undefined
    for (const link of links) {
      if (!link.isConnected) spare ??= link
      else if (best === undefined || link.load < best.load) best = link
    }
    if (best === undefined) return spare as ReconnectingSession
    if (best.load > 0 && spare !== undefined && performance.now() > nextAttempt) {
      nextAttempt = performance.now() + pause
      spare.connect().then(
        () => (nextAttempt = 0),
        () => undefined,
      )
    }
    return best
  }

  async function attempt(statement: Statement, values: readonly unknown[]): Promise<Result> {
    const started = performance.now()
    const run = () => choose().use((session) => runOn(session, statement, values))
    try {
      return await run()
    } catch (error) {
      // The server was restarted, or another one took its place: the next connection may be a good one.
      if (error instanceof ConnectionLost && performance.now() - started < soon) return run()
      throw error
    }
  }

  async function readAdmitted(statement: Statement, values: readonly unknown[]): Promise<Result> {
    try {
      return await attempt(statement, values)
    } catch (error) {
      throw isTransient(error) ? unavailable('The animals cannot be read right now; try again.', error) : error
    }
  }

  async function admit<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (load >= bound) throw unavailable('Too many requests wait for the database; try again.')
    load++
    try {
      return await ask()
    } finally {
      load--
    }
  }

  return {
    read: (statement, values = []) => admit(() => readAdmitted(statement, values)),
    admit,
    readAdmitted,
    async close() {
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

function runAlone(session: Session, statement: Statement, values: readonly unknown[]): Promise<Result> {
  return session.run(statement, values)
}

/** Behind a pooler each transaction may reach another server, so each has to make sure that it reached a primary. */
async function runOnPrimary(session: Session, statement: Statement, values: readonly unknown[]): Promise<Result> {
  const [begun, result, ended] = await Promise.allSettled(
    session.together(() => [session.run(beginOnPrimary), session.run(statement, values), session.run(commit)]),
  )
  for (const answer of [begun, result, ended]) {
    if (answer?.status !== 'rejected') continue
    const isRefused = answer === begun && codeOf(answer.reason) === '0A000'
    throw isRefused ? new ConnectionLost('The database is not the primary.', { cause: new IsStandby() }) : answer.reason
  }
  return (result as PromiseFulfilledResult<Result>).value
}
