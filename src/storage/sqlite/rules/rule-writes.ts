import type { DatabaseSync } from 'node:sqlite'
import type { Rule } from '../../../inventory/rules/decision.ts'
import { type Command, type Outcome, type RuleName, rules } from '../../../inventory/rules/rules.ts'
import { prepareStoreChange } from './changes.ts'
import type { Counts } from '../schema/counts.ts'
import { prepareFacts } from './facts.ts'

type RuleWrites = { [Name in RuleName]: (command: Command<Name>) => Outcome<Name> }

/** The writes that apply the rules of the shop. Each runs inside a transaction of the writer. */
export function ruleWrites(db: DatabaseSync, counts: Counts): RuleWrites {
  const facts = prepareFacts(db)
  const storeChange = prepareStoreChange(db, counts)

  function follow(rule: Rule<unknown, unknown>) {
    return (command: unknown) => {
      const { outcome, changes } = rule(facts, command)
      for (const change of changes) storeChange(change)
      return outcome
    }
  }

  const writes = Object.entries(rules).map(([name, rule]) => [name, follow(rule.decide as Rule<unknown, unknown>)])
  return Object.fromEntries(writes) as RuleWrites
}
