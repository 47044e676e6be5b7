import type { Creation } from '../../../inventory/pets.ts'
import type { Change } from '../../../inventory/rules/change.ts'
import type { Rule } from '../../../inventory/rules/decision.ts'
import { type LoadedFacts, loadedFacts } from '../../../inventory/rules/loaded-facts.ts'
import { rules } from '../../../inventory/rules/rules.ts'
import { addPets, createdFrom } from './add-pets.ts'
import { storeChanges } from './changes.ts'
import type { BoundStatement, Result } from '../connection/statement.ts'
import { factsOf, type RuleRequest } from './facts.ts'

export type WriteResult = { value: unknown } | { error: Error }

/** The writes of a group that apply rules of the shop. */
export interface RuleBatch {
  statements: readonly BoundStatement[]
  /** The next statements, made from the results of the first. */
  next?: (results: readonly Result[]) => readonly BoundStatement[]
  /** The result of each write, after the commit. */
  results(results: readonly Result[]): WriteResult[]
}

export function ruleBatch(requests: readonly RuleRequest[]): RuleBatch {
  if (requests.length === 0) return { statements: [], results: () => [] }
  return requests.every(isPlainCreate) ? plainCreates(requests) : decideWithFacts(requests)
}

/** Whether it needs no stored facts. */
export function isPlainCreate([name, command]: RuleRequest): boolean {
  return name === 'createPet' && command.idempotencyKey === undefined
}

/** Decided before the counters are locked: one round trip. Ids count from 1, and the statement adds the last assigned one. */
function plainCreates(requests: readonly RuleRequest[]): RuleBatch {
  const { results, changes } = decideAll(loadedFacts({}), requests)
  return {
    statements: [addPets(changes)],
    results: ([added]) =>
      results.map((result) =>
        'value' in result ? { value: createdFrom(added as Result, result.value as Creation) } : result,
      ),
  }
}

/** Decided with locked counters and the loaded facts: one round trip for the facts, one for the changes. */
function decideWithFacts(requests: readonly RuleRequest[]): RuleBatch {
  const query = factsOf(requests)
  let outcomes: WriteResult[] = []
  return {
    statements: query.statements,
    next(results) {
      const loaded = query.read(results)
      const decided = decideAll(loadedFacts(loaded), requests)
      outcomes = decided.results
      return storeChanges(decided.changes, loaded.lastIds)
    },
    results: () => outcomes,
  }
}

/** Each decision sees the changes of those before it. A write that cannot be decided fails alone. */
function decideAll(
  facts: LoadedFacts,
  requests: readonly RuleRequest[],
): { results: WriteResult[]; changes: Change[] } {
  const changes: Change[] = []
  const results = requests.map(([name, command]) => {
    try {
      const decision = (rules[name].decide as Rule<unknown, unknown>)(facts, command)
      for (const change of decision.changes) facts.apply(change)
      changes.push(...decision.changes)
      return { value: decision.outcome }
    } catch (error) {
      return { error: error as Error }
    }
  })
  return { results, changes }
}
