import type { Caller } from '../../../inventory/caller.ts'
import { openFairQueue } from '../../../inventory/fair-queue.ts'
import { begin } from '../connection/begin.ts'
import type { Session } from '../connection/database.ts'
import type { Result, Statement } from '../connection/statement.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'
import type { Server } from '../connection/server.ts'
import { setInOneSql, type Settings, setSql } from '../connection/settings.ts'
import { askLineage, checkPositionBy } from '../schema/lineage.ts'
import { beginFailure, type Bound, commit, type PageRows, readSettings, statementsOf, toRows } from './read.ts'
import type { StateReads } from './read.ts'

/** The replica has not replayed the id that a page starts after. */
export class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind'
}

/** An instance that vanishes must not keep the server from removing old rows. */
const maxIdle: Settings = { idle_in_transaction_session_timeout: '10s' }

/** Behind a pooler, a standby in the place of the primary refuses to begin as the primary does. */
function beginOf({ role, keepsSession }: Server): Statement {
  const snapshot = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'
  if (keepsSession) return { text: `BEGIN ${snapshot}; ${setInOneSql(maxIdle, 'transaction')}` }
  const started = role === 'primary' ? `${begin.text}; SET TRANSACTION ${snapshot}` : `BEGIN ${snapshot}`
  return { text: `${started}; ${setSql({ ...readSettings, ...maxIdle }, 'transaction')}` }
}

const savepoint: Statement = { text: 'SAVEPOINT timed' }
const rollback: Statement = { text: 'ROLLBACK TO SAVEPOINT timed' }

/**
 * Runs the statements of `read` in one transaction with one snapshot. Nothing else may use the connection meanwhile.
 * A statement that takes longer than `timeoutMs` ends the connection.
 */
export async function readAtOneState<Read>(
  session: Session,
  server: Server,
  timeoutMs: number,
  read: (state: StateReads) => Promise<Read>,
): Promise<Read> {
  // Sent together with the first statement.
  const begun = session.run(beginOf(server)).catch((error: unknown) => {
    throw beginFailure(error)
  })
  begun.catch(() => undefined)

  /** Without a transaction the statements would see several states. */
  async function results(statements: readonly Bound[]): Promise<Result[]> {
    const timer = setTimeout(() => session.drop('The database did not answer in time.'), timeoutMs)
    const sent = session.corked(() => statements.map(([statement, values]) => session.run(statement, values)))
    try {
      const [, settled] = await Promise.all([begun, Promise.allSettled(sent)])
      return settled.map((result) => {
        if (result.status === 'fulfilled') return result.value
        throw result.reason
      })
    } finally {
      clearTimeout(timer)
    }
  }

  async function readUncounted(statement: Statement, values: readonly unknown[]): Promise<Result> {
    return (await results([[statement, values]]))[0] as Result
  }

  async function readPage(query: Parameters<StateReads['readPage']>[0]): Promise<PageRows> {
    const statements = statementsOf(query, server.role)
    // A timeout must not end the transaction. The rollback also restores the setting.
    const isTimed = query.timeoutMs !== undefined
    const all: readonly Bound[] = isTimed ? [[savepoint, []], ...statements, [rollback, []]] : statements
    const sent = results(all).then((done) => (isTimed ? done.slice(1, -1) : done))
    const page = await toRows(query, server.role, sent)
    if (page.isBehind) throw new ReplicaBehind()
    return page
  }

  const state: StateReads = {
    read: (statement, values = []) => readUncounted(statement, values),
    countPending: (ask) => ask(),
    readUncounted,
    readPage,
    async readEvents({ statement, values, lastOf, ...page }) {
      const lineage: Bound = [askLineage, [page.after.lineage ?? null]]
      const [events, lineages] = (await results([[statement, values], lineage])) as [Result, Result]
      return { rows: events.rows, position: checkPositionBy({ ...page, last: lastOf(events.rows) }, lineages) }
    },
    hold: (inner) => inner(state),
  }

  try {
    return await read(state)
  } finally {
    // Later statements of this connection are run after it.
    session.run(commit).catch(() => session.drop('The connection is unusable.'))
  }
}

/** States that are held at once: fewer than connections, so that other reads need not wait for them. */
const maxHeld = 2

/** The connections of which some are held. */
export interface HeldLinks {
  /** Those that others may use. */
  free(): readonly ReconnectingSession[]
  /**
   * Reserves a connection while `use` runs, in turns by `caller`. It is one of `usable`, which has those that are free,
   * and not the last one that is open, so that other reads go on. Undefined if there is none.
   */
  hold<Result>(
    caller: Caller | undefined,
    usable: (free: readonly ReconnectingSession[]) => readonly ReconnectingSession[],
    use: (link: ReconnectingSession | undefined) => Promise<Result>,
    isNext?: boolean,
  ): Promise<Result>
}

export function heldLinks(links: readonly ReconnectingSession[]): HeldLinks {
  const queue = openFairQueue(maxHeld)
  const held = new Set<ReconnectingSession>()
  const free = () => (held.size === 0 ? links : links.filter((link) => !held.has(link)))

  function choose(usable: readonly ReconnectingSession[]): ReconnectingSession | undefined {
    const open = usable.filter(({ isConnected }) => isConnected).toSorted((one, other) => one.load - other.load)
    return open.length > 1 ? open[0] : usable.find(({ isConnected }) => !isConnected)
  }

  return {
    free,
    hold: (caller, usable, use, isNext) => {
      const run = async () => {
        const link = choose(usable(free()))
        if (link === undefined) return use(undefined)
        held.add(link)
        try {
          return await use(link)
        } finally {
          held.delete(link)
        }
      }
      return queue.run(caller, run, isNext)
    },
  }
}
