import { outcomeUnknown, unavailable } from '../../../inventory/errors.ts'
import { type Command, isRule, type Outcome, ruleCost, type RuleName } from '../../../inventory/rules/rules.ts'
import { notStored, unknownOutcome } from '../../shared/writes/unanswered.ts'
import { maintenanceWrites } from './maintenance-writes.ts'
import type { Batch } from './batch.ts'
import type { Lineages } from './begin-lineage.ts'
import type { Session } from '../connection/database.ts'
import type { Result } from '../connection/statement.ts'
import { isTransient, RolledBack } from '../connection/errors.ts'
import type { RuleRequest } from '../rules/facts.ts'
import { isPlainCreate, ruleBatch, type RuleBatch, type WriteResult } from '../rules/rule-writes.ts'
import { runLocked } from './transaction.ts'

/** Every write that applies no rule of the shop, by name. Each takes all writes of its kind in a group. */
const writes = {
  /** Only locks the counters. */
  lockCounters: (inputs: readonly undefined[]): Batch<void> => ({
    statements: [],
    values: () => inputs.map(() => undefined),
  }),
  ...maintenanceWrites,
}

type Writes = typeof writes
export type WriteName = RuleName | keyof Writes
export type WriteInput<Name extends WriteName> = Name extends RuleName
  ? Command<Name>
  : Name extends keyof Writes
    ? Parameters<Writes[Name]>[0][number]
    : never
export type WriteValue<Name extends WriteName> = Name extends RuleName
  ? Outcome<Name>
  : Name extends keyof Writes
    ? ReturnType<ReturnType<Writes[Name]>['values']>[number]
    : never

export type WriteRequest = readonly [name: WriteName, input: unknown]

/** The cost of a write, as a multiple of a plain create. Writes without a rule have one statement each. */
export function costOf(request: WriteRequest): number {
  if (!isRuleRequest(request)) return 10
  return (isPlainCreate(request) ? 1 : 4) + ruleCost(request[0], request[1])
}

/**
 * Commits a group of writes in one transaction, in one round trip, or two if a rule needs facts. If a write fails for a
 * reason of its own, the group is rolled back and committed in halves, until that write has failed alone. Rejects with
 * a RolledBack if nothing of the group is stored, and with any other error if the outcome is unknown.
 */
export async function commitGroup(
  session: Session,
  lineages: Lineages,
  group: readonly WriteRequest[],
): Promise<WriteResult[]> {
  const byRule = ruleBatch(group.filter(isRuleRequest))
  const batches = batchesOf(group.filter((request) => !isRuleRequest(request)))
  const opening = lineages.opening(session)
  const statements = [...opening, ...byRule.statements, ...batches.flatMap(({ batch }) => batch.statements)]
  try {
    const results = await runLocked(
      session,
      statements,
      byRule.next && ((first) => byRule.next?.(first.slice(opening.length)) ?? []),
    )
    lineages.committed(session)
    return resultsOf(group, byRule, batches, results.slice(opening.length))
  } catch (error) {
    if (!(error instanceof RolledBack) || isTransient(error.cause)) throw error
    return group.length === 1 ? [{ error: error.cause as Error }] : commitHalves(session, lineages, group)
  }
}

async function commitHalves(
  session: Session,
  lineages: Lineages,
  group: readonly WriteRequest[],
): Promise<WriteResult[]> {
  const middle = Math.ceil(group.length / 2)
  const first = await commitGroup(session, lineages, group.slice(0, middle))
  const second = group.slice(middle)
  try {
    return [...first, ...(await commitGroup(session, lineages, second))]
  } catch (error) {
    // The first half is stored, and its callers must be told so.
    const refusal = { error: unanswered(error) }
    return [...first, ...second.map(() => refusal)]
  }
}

/** The error of a write whose group failed. A write that was rolled back is known not to be stored. */
export function unanswered(cause: unknown): Error {
  return cause instanceof RolledBack ? unavailable(notStored, cause) : outcomeUnknown(unknownOutcome, cause)
}

function isRuleRequest(request: WriteRequest): request is RuleRequest {
  return isRule(request[0])
}

interface BatchInGroup {
  name: keyof Writes
  batch: Batch<unknown>
}

function batchesOf(group: readonly WriteRequest[]): BatchInGroup[] {
  const inputs = Map.groupBy(group, ([name]) => name as keyof Writes)
  return [...inputs].map(([name, requests]) => {
    const write = writes[name] as (inputs: readonly never[]) => Batch<unknown>
    return { name, batch: write(requests.map(([, input]) => input as never)) }
  })
}

function resultsOf(
  group: readonly WriteRequest[],
  byRule: RuleBatch,
  batches: readonly BatchInGroup[],
  results: readonly Result[],
): WriteResult[] {
  const left = [...results]
  const ruleResults = byRule.results(left.splice(0, byRule.statements.length))
  const values = new Map<WriteName, unknown[]>()
  for (const { name, batch } of batches) values.set(name, batch.values(left.splice(0, batch.statements.length)))
  return group.map((request) =>
    isRuleRequest(request) ? (ruleResults.shift() as WriteResult) : { value: values.get(request[0])?.shift() },
  )
}
