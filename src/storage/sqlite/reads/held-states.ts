import type { DatabaseSync } from 'node:sqlite'
import type { Caller } from '../../../inventory/caller.ts'
import { unavailable } from '../../../inventory/errors.ts'
import { openFairQueue } from '../../../inventory/fair-queue.ts'

/**
 * Lets `read` read one committed state in several steps of the event loop, whatever is written meanwhile: on the
 * connection that it gets, nothing changes until it settles.
 */
export type HoldState = <Result>(
  read: (db: DatabaseSync) => Promise<Result>,
  caller?: Caller,
  /** Before other reads of the same caller. */
  isNext?: boolean,
) => Promise<Result>

export interface HeldStates {
  hold: HoldState
  /** Waits for the states that are held. */
  close(): Promise<void>
}

/** Callers take turns above this number. */
const maxHeld = 4
/** Each request holds one state at most. */
const maxWaiting = { ofCaller: 2_000, all: 2_000, ms: 5_000 }

/** For a file: each state is a transaction on a connection of its own, which is opened when it is needed. */
export function heldStates(open: () => DatabaseSync): HeldStates {
  const queue = openFairQueue(maxHeld, maxWaiting)
  const idle: DatabaseSync[] = []
  const held = new Set<Promise<unknown>>()
  let isClosed = false

  /** With a small cache: a state is read once. */
  function openHeld(): DatabaseSync {
    try {
      const db = open()
      db.exec('PRAGMA cache_size = -2048')
      return db
    } catch (error) {
      throw unavailable('Nothing can be read right now; try again.', error)
    }
  }

  async function readOn<Result>(db: DatabaseSync, read: (db: DatabaseSync) => Promise<Result>): Promise<Result> {
    try {
      db.exec('BEGIN')
      return await read(db)
    } finally {
      // A read of a damaged page may have ended it.
      if (db.isTransaction) db.exec('ROLLBACK')
      if (isClosed) db.close()
      else idle.push(db)
    }
  }

  return {
    hold: (read, caller, isNext) =>
      queue.run(
        caller,
        () => {
          if (isClosed) throw unavailable('The storage is closed.')
          const reading = readOn(idle.pop() ?? openHeld(), read)
          held.add(reading)
          return reading.finally(() => held.delete(reading))
        },
        isNext,
      ),
    async close() {
      isClosed = true
      for (const db of idle.splice(0)) db.close()
      await Promise.allSettled(held)
    },
  }
}

type Commit<Group, Result> = (group: Group) => Promise<Result>

export interface PausedWrites {
  hold: HoldState
  /** Commits when no state is held. States that are asked for meanwhile are held after that. */
  commitWith<Group, Result>(committer: { commit: Commit<Group, Result> }): Commit<Group, Result>
}

/** For a database in memory, which has one connection: writes wait while a state is held. */
export function pausedWrites(db: DatabaseSync): PausedWrites {
  let holding = 0
  let allReleased: PromiseWithResolvers<void> | undefined
  /** Of the commit that waits. */
  let committed: Promise<unknown> | undefined

  return {
    async hold(read) {
      // Others may have begun to wait meanwhile.
      for (let earlier = committed; earlier !== undefined; earlier = committed) await earlier
      holding++
      try {
        return await read(db)
      } finally {
        if (--holding === 0) allReleased?.resolve()
      }
    },
    commitWith({ commit }) {
      return (group) => {
        if (holding === 0) return commit(group)
        allReleased ??= Promise.withResolvers()
        const result = allReleased.promise.then(() => {
          allReleased = undefined
          return commit(group)
        })
        committed = result.catch(() => undefined).finally(() => (committed = undefined))
        return result
      }
    },
  }
}
