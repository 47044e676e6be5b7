import { outcomeUnknown, unavailable } from '../../inventory/errors.ts'
import { notStored, unknownOutcome } from '../shared/grouping-writer.ts'
import type { Batch } from './batch.ts'
import type { Histories } from './begin-history.ts'
import type { Result, Session } from './database.ts'
import { categoryWrites } from './category-writes.ts'
import { totalWrites } from './counts.ts'
import { isTransient, RolledBack } from './errors.ts'
import { eventWrites } from './event-writes.ts'
import { importWrites } from './import-writes.ts'
import { keyWrites } from './key-writes.ts'
import { orderWrites } from './order-writes.ts'
import { petChangeWrites } from './pet-change-writes.ts'
import { petWrites } from './pet-writes.ts'
import { runInTurn } from './transaction.ts'

/** Every write of the engine by name. Each takes all of its kind that are in a group. */
const writes = {
  /** Only takes the turn. */
  takeTurn: (inputs: readonly undefined[]): Batch<void> => ({
    statements: [],
    values: () => inputs.map(() => undefined),
  }),
  ...petWrites,
  ...petChangeWrites,
  ...orderWrites,
  ...categoryWrites,
  ...eventWrites,
  ...keyWrites,
  ...importWrites,
  ...totalWrites,
}

export type WriteName = keyof typeof writes
export type WriteInput<Name extends WriteName> = Parameters<(typeof writes)[Name]>[0][number]
export type WriteValue<Name extends WriteName> = ReturnType<ReturnType<(typeof writes)[Name]>['values']>[number]

export type WriteRequest = readonly [name: WriteName, input: unknown]
export type WriteResult = { value: unknown } | { error: Error }

/** How long a write takes, as a multiple of a plain create: those share a statement, the others have one each. */
export function costOf([name]: WriteRequest): number {
  return name === 'createPet' ? 1 : 10
}

/**
 * Commits a group of writes in one transaction and one round trip. If one of them fails for a reason of its own, the group
 * is undone and committed in halves, until that write has failed alone. Rejects with a RolledBack when nothing of the
 * group is stored, and with any other error when nobody knows.
 */
export async function commitGroup(
  session: Session,
  histories: Histories,
  group: readonly WriteRequest[],
): Promise<WriteResult[]> {
  const batches = batchesOf(group)
  const opening = histories.opening(session)
  try {
    const results = await runInTurn(session, [...opening, ...batches.flatMap(({ batch }) => batch.statements)])
    histories.committed(session)
    return resultsOf(group, batches, results.slice(opening.length))
  } catch (error) {
    if (!(error instanceof RolledBack) || isTransient(error.cause)) throw error
    return group.length === 1 ? [{ error: error.cause as Error }] : commitHalves(session, histories, group)
  }
}

async function commitHalves(
  session: Session,
  histories: Histories,
  group: readonly WriteRequest[],
): Promise<WriteResult[]> {
  const middle = Math.ceil(group.length / 2)
  const first = await commitGroup(session, histories, group.slice(0, middle))
  const second = group.slice(middle)
  try {
    return [...first, ...(await commitGroup(session, histories, second))]
  } catch (error) {
    // The first half is stored, and has to be told so.
    const refusal = { error: unanswered(error) }
    return [...first, ...second.map(() => refusal)]
  }
}

/** What is told of a write whose group failed so. What was rolled back is known not to be stored. */
export function unanswered(cause: unknown): Error {
  return cause instanceof RolledBack ? unavailable(notStored, cause) : outcomeUnknown(unknownOutcome, cause)
}

interface BatchInGroup {
  name: WriteName
  batch: Batch<unknown>
}

function batchesOf(group: readonly WriteRequest[]): BatchInGroup[] {
  const inputs = Map.groupBy(group, ([name]) => name)
  return [...inputs].map(([name, requests]) => {
    const write = writes[name] as (inputs: readonly never[]) => Batch<unknown>
    return { name, batch: write(requests.map(([, input]) => input as never)) }
  })
}

function resultsOf(
  group: readonly WriteRequest[],
  batches: readonly BatchInGroup[],
  results: readonly Result[],
): WriteResult[] {
  const left = [...results]
  const values = new Map<WriteName, unknown[]>()
  for (const { name, batch } of batches) values.set(name, batch.values(left.splice(0, batch.statements.length)))
  return group.map(([name]) => ({ value: values.get(name)?.shift() }))
}
