import type { Change } from './change.ts'
import type { Facts } from './facts.ts'

/** A rule of the shop. Pure: facts in, decision out. An engine loads the facts and stores the changes. */
export type Rule<Command, Outcome> = (facts: Facts, command: Command) => Decision<Outcome>

export interface Decision<Outcome> {
  /** The result for the caller. */
  outcome: Outcome
  /** The changes to store, in this order, all or nothing. */
  changes: readonly Change[]
}

export function changed<Outcome>(outcome: Outcome, changes: readonly Change[]): Decision<Outcome> {
  return { outcome, changes }
}

export function unchanged<Outcome>(outcome: Outcome): Decision<Outcome> {
  return { outcome, changes: [] }
}
