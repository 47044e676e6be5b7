import { DatabaseError } from 'pg'
import type { Batch } from './batch.ts'
import type { Result, Session } from './database.ts'
import { codeOf, ConnectionLost, isTransient } from './errors.ts'
import { categoryWrites } from './category-writes.ts'
import { eventWrites } from './event-writes.ts'
import { importWrites } from './import-writes.ts'
import { keyWrites } from './key-writes.ts'
import { orderWrites } from './order-writes.ts'
import { petChangeWrites } from './pet-change-writes.ts'
import { petWrites } from './pet-writes.ts'
import { begin, commit, lockCounters } from './transaction.ts'

/** Every write of the engine by name. Each takes all of its kind that are in a group. */
const writes = {
  ...petWrites,
  ...petChangeWrites,
  ...orderWrites,
  ...categoryWrites,
  ...eventWrites,
  ...keyWrites,
  ...importWrites,
}

export type WriteName = keyof typeof writes
export type WriteInput<Name extends WriteName> = Parameters<(typeof writes)[Name]>[0][number]
export type WriteValue<Name extends WriteName> = ReturnType<ReturnType<(typeof writes)[Name]>['values']>[number]

export type WriteRequest = readonly [name: WriteName, input: unknown]
export type WriteResult = { value: unknown } | { error: Error }

/**
 * Runs a group of writes in one transaction and one round trip. Every result is on disk, and on the replicas that the
 * server waits for, when this resolves. If one of the group fails, the group is undone and each is run on its own, so
 * that it fails alone. Rejects when nothing could be done, or when nobody knows whether it was.
 */
export async function commitGroup(session: Session, group: readonly WriteRequest[]): Promise<WriteResult[]> {
  const batches = batchesOf(group)
  const statements = batches.flatMap(({ batch }) => batch.statements)
  const warnings = session.warnings
  const answers = await Promise.allSettled(
    session.together(() => [
      session.run(begin),
      session.run(lockCounters),
      ...statements.map(([statement, values]) => session.run(statement, values)),
      session.run(commit),
    ]),
  )
  const failure = answers.find((answer) => answer.status === 'rejected' && !isConsequence(answer.reason))
  const end = answers.at(-1)
  const ended = end?.status === 'fulfilled' ? end.value.command : undefined
  // A server that is told to stop, or to wait no longer, says so and commits: the replicas may not have it.
  if (session.warnings > warnings) throw new ConnectionLost('The server warned of something while it committed.')
  if (failure === undefined && ended === 'COMMIT') return resultsOf(group, batches, answers)
  const error = failure?.status === 'rejected' ? failure.reason : new ConnectionLost(`COMMIT ended in ${ended}.`)
  if (ended !== 'ROLLBACK' || isTransient(error)) throw error
  return group.length === 1 ? [{ error }] : eachAlone(session, group)
}

async function eachAlone(session: Session, group: readonly WriteRequest[]): Promise<WriteResult[]> {
  const results: WriteResult[] = []
  for (const request of group) results.push(...(await commitGroup(session, [request])))
  return results
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
  answers: readonly PromiseSettledResult<Result>[],
): WriteResult[] {
  const results = answers.slice(2, -1).map((answer) => (answer as PromiseFulfilledResult<Result>).value)
  const values = new Map<WriteName, unknown[]>()
  for (const { name, batch } of batches) values.set(name, batch.values(results.splice(0, batch.statements.length)))
  return group.map(([name]) => ({ value: values.get(name)?.shift() }))
}

// What comes after a failed statement fails because of it.
function isConsequence(error: unknown): boolean {
  return error instanceof DatabaseError && codeOf(error) === '25P02'
}
