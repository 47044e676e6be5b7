import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../inventory/errors.ts'
import { groupingWriter, type Unanswered } from '../shared/grouping-writer.ts'
import type { Histories } from './begin-history.ts'
import { codeOf, RolledBack } from './errors.ts'
import type { ReconnectingSession } from './reconnecting-session.ts'
import type { Session } from './database.ts'
import type { WriteResult } from './rule-writes.ts'
import { endStuckHolder, TurnTaken } from './turn-holder.ts'
import {
  commitGroup,
  costOf,
  unanswered,
  type WriteInput,
  type WriteName,
  type WriteRequest,
  type WriteValue,
} from './writes.ts'

/** What the engine writes through. */
export interface Writer {
  /** Resolves once the write is on disk. */
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteValue<Name>>
  /** Rejects when nothing can be written now. */
  check(): Promise<void>
  /** Finishes what is waiting, then stops. */
  close(): Promise<void>
}

/**
 * How long a group of writes may take, a new connection and a second try included. The server's own limit for a lock is
 * shorter, so that it, not we, gives up first. Whoever waits behind a group that fails, fails with it.
 */
export const writeTimeoutMs = 2_500
/** With less than this left, a group is not tried again. */
const minRetryMs = 500
/** How long a check waits for its turn. After that it tells how the groups before it fared. */
const checkWaitMs = 500
const lockTimeout = '55P03'

/**
 * The server ends a connection whose other end is gone within about ten seconds: it may have the turn. And a plan that was
 * made while a table was small does not read all of it: rows are found by their keys. Settings that a server does not know
 * are left out.
 */
export const writerSettings = `
  SELECT set_config(wanted.name, wanted.value, false) FROM pg_settings JOIN (VALUES
    ('tcp_keepalives_idle', '4'), ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '10000'), ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off')) AS wanted (name, value) USING (name)`

/**
 * Writes in groups on one connection. A second one would gain nothing: the transactions of all instances take turns.
 */
export function postgresWriter(link: ReconnectingSession, histories: Histories): Writer {
  let failure: Error | undefined
  let probe: Promise<void> | undefined

  const { perform, close } = groupingWriter<WriteRequest, WriteResult>(
    { commit, close: () => link.close() },
    { refusal, failsTogether: true, costOf },
  )

  async function commit(group: readonly WriteRequest[]): Promise<WriteResult[]> {
    try {
      const results = await commitOrRetry(group)
      failure = undefined
      return results
    } catch (error) {
      failure = error as Error
      throw error
    }
  }

  /** What was undone is tried once more: on a new connection where the old one was to blame, or when the turn is free. */
  async function commitOrRetry(group: readonly WriteRequest[]): Promise<WriteResult[]> {
    const started = performance.now()
    try {
      return await link.use((session) => commitGroup(session, histories, group))
    } catch (error) {
      const leftMs = writeTimeoutMs - (performance.now() - started)
      if (!(error instanceof RolledBack) || leftMs < minRetryMs) throw error
      const isTurnTaken = codeOf(error.cause) === lockTimeout
      return await link.use(
        (session) => (isTurnTaken ? commitInFreedTurn : commitGroup)(session, histories, group),
        leftMs,
      )
    }
  }

  /** Somebody else may be at work for long, as an import is. That does not keep this instance from serving. */
  const isServing = () => failure === undefined || (failure instanceof TurnTaken && failure.holder?.isWorking === true)

  async function tryToWrite(): Promise<void> {
    const result = await perform(['takeTurn', undefined])
    if ('error' in result) failure ??= result.error
  }

  return {
    close,
    async write(name, input) {
      const result = await perform([name, input])
      if ('error' in result) throw result.error
      return result.value as never
    },
    async check() {
      probe ??= tryToWrite().finally(() => (probe = undefined))
      await Promise.race([probe, sleep(checkWaitMs, undefined, { ref: false })])
      if (!isServing()) throw unavailable('Nothing can be written.', failure)
    },
  }
}

function refusal({ message, mayHaveSucceeded, cause }: Unanswered): WriteResult {
  return { error: mayHaveSucceeded ? unanswered(cause) : unavailable(message, cause) }
}

async function commitInFreedTurn(
  session: Session,
  histories: Histories,
  group: readonly WriteRequest[],
): Promise<WriteResult[]> {
  const holder = await endStuckHolder(session)
  try {
    return await commitGroup(session, histories, group)
  } catch (error) {
    const isTaken = error instanceof RolledBack && codeOf(error.cause) === lockTimeout
    throw isTaken ? new TurnTaken(holder, error.cause) : error
  }
}
