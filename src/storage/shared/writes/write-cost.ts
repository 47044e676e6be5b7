import { indexCost } from '../../../inventory/name-words.ts'

/** What the name of a write adds to its cost in a group. `command` is that of a rule. */
export function nameCost(command: unknown): number {
  const { pet, change } = (command ?? {}) as { pet?: { name?: string }; change?: { name?: string } }
  const name = pet?.name ?? change?.name
  return name === undefined ? 0 : indexCost(name)
}
