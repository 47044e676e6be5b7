import { addressBugs } from './addresses.ts'
import type { Bug } from './bug.ts'
import { newPetBugs } from './new-pets.ts'
import { pagingBugs } from './paging.ts'

/** Every bug, by its number. */
export const catalogue: readonly Bug[] = [...addressBugs, ...newPetBugs, ...pagingBugs].toSorted(
  (one, other) => one.number - other.number,
)

const byName: ReadonlyMap<string, Bug> = new Map(catalogue.map((bug) => [bug.name, bug]))

export const bugNames: readonly string[] = [...byName.keys()]

export function findBug(name: string): Bug | undefined {
  return byName.get(name)
}
