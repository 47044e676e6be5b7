import { setTimeout as sleep } from 'node:timers/promises'
import { PetStoreError, unavailable } from '../../../inventory/errors.ts'
import type { WriterStats } from '../../../inventory/storage-stats.ts'
import { groupingWriter } from '../../shared/writes/grouping-writer.ts'
import type { Unanswered } from '../../shared/writes/unanswered.ts'
import type { Lineages } from './begin-lineage.ts'
import { codeOf, RolledBack } from '../connection/errors.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'
import type { Session } from '../connection/database.ts'
import type { Settings } from '../connection/settings.ts'
import type { WriteResult } from '../rules/rule-writes.ts'
import { endStuckHolder, CountersLocked } from './counters-holder.ts'
import {
  commitGroup,
  costOf,
  unanswered,
  type WriteInput,
  type WriteName,
  type WriteRequest,
  type WriteValue,
} from './writes.ts'

/** The writer of the engine. */
export interface Writer {
  /** Resolves when the write is on disk. */
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteValue<Name>>
  /** Rejects if nothing can be written now. */
  check(): Promise<void>
  stats(): WriterStats
  /** Finishes waiting writes, then stops. */
  close(): Promise<void>
}

/**
 * The timeout of a group, including a new connection and a retry. The server's lock timeout is shorter, so that the
 * server gives up first. Writes that wait behind a failed group fail with it.
 */
export const defaultWriteTimeoutMs = 2_500
/** A group is not retried with less time than this left. */
const minRetryMs = 500
/** How long a check waits for the counters. After that it reports the result of the groups before it. */
const checkWaitMs = 500
const lockTimeout = '55P03'

/**
 * The server ends a connection whose other end is gone within about ten seconds, because it may have locked the counters.
 * Scans and their joins are off because a plan made for a small table must not read all of it when it is large.
 */
export const writerSettings: Settings = {
  tcp_keepalives_idle: '4',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10s',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

/** Writes in groups on one connection. A second one would gain nothing: every transaction locks the counters. */
export function postgresWriter(
  link: ReconnectingSession,
  lineages: Lineages,
  timeoutMs = defaultWriteTimeoutMs,
): Writer {
  let failure: Error | undefined
  let probe: Promise<void> | undefined

  const { perform, stats, close } = groupingWriter<WriteRequest, WriteResult>(
    { commit, close: () => link.close() },
    { refusal, outcomeOf, failsTogether: true, costOf },
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

  /**
   * A group that was rolled back is retried once: on a new connection if the old one caused the failure, or when the
   * counters are unlocked.
   */
  async function commitOrRetry(group: readonly WriteRequest[]): Promise<WriteResult[]> {
    const started = performance.now()
    try {
      return await link.use((session) => commitGroup(session, lineages, group))
    } catch (error) {
      const leftMs = timeoutMs - (performance.now() - started)
      if (!(error instanceof RolledBack) || leftMs < minRetryMs) throw error
      const areCountersLocked = codeOf(error.cause) === lockTimeout
      return await link.use(
        (session) => (areCountersLocked ? commitWhenUnlocked : commitGroup)(session, lineages, group),
        leftMs,
      )
    }
  }

  /** An import may lock the counters for long. This instance still serves. */
  const isServing = () =>
    failure === undefined || (failure instanceof CountersLocked && failure.holder?.isWorking === true)

  async function tryToWrite(): Promise<void> {
    const result = await perform(['lockCounters', undefined])
    if ('error' in result) failure ??= result.error
  }

  return {
    close,
    stats,
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

function outcomeOf(result: WriteResult): 'stored' | 'failed' | 'unknown' {
  if (!('error' in result)) return 'stored'
  return result.error instanceof PetStoreError && result.error.mayHaveSucceeded ? 'unknown' : 'failed'
}

function refusal({ message, mayHaveSucceeded, cause }: Unanswered): WriteResult {
  return { error: mayHaveSucceeded ? unanswered(cause) : unavailable(message, cause) }
}

async function commitWhenUnlocked(
  session: Session,
  lineages: Lineages,
  group: readonly WriteRequest[],
): Promise<WriteResult[]> {
  const holder = await endStuckHolder(session)
  try {
    return await commitGroup(session, lineages, group)
  } catch (error) {
    const isTaken = error instanceof RolledBack && codeOf(error.cause) === lockTimeout
    throw isTaken ? new CountersLocked(holder, error.cause) : error
  }
}
