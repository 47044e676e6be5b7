import { addressBugs } from './addresses.ts'
import { authBugs } from './auth.ts'
import type { Bug } from './bug.ts'
import { cachingBugs } from './caching.ts'
import { concurrencyBugs } from './concurrency.ts'
import { errorBugs } from './errors.ts'
import { eventBugs } from './events.ts'
import { fileBugs } from './files.ts'
import { headerBugs } from './headers.ts'
import { idempotencyBugs } from './idempotency.ts'
import { newPetBugs } from './new-pets.ts'
import { pagingBugs } from './paging.ts'
import { protocolBugs } from './protocol.ts'
import { stateBugs } from './state.ts'
import { typeBugs } from './types.ts'

/** Every bug, by its number. */
export const catalogue: readonly Bug[] = [
  ...addressBugs,
  ...newPetBugs,
  ...pagingBugs,
  ...typeBugs,
  ...authBugs,
  ...cachingBugs,
  ...concurrencyBugs,
  ...idempotencyBugs,
  ...errorBugs,
  ...headerBugs,
  ...protocolBugs,
  ...eventBugs,
  ...stateBugs,
  ...fileBugs,
].toSorted((one, other) => one.number - other.number)

const byName: ReadonlyMap<string, Bug> = new Map(catalogue.map((bug) => [bug.name, bug]))

export const bugNames: readonly string[] = [...byName.keys()]

export function findBug(name: string): Bug | undefined {
  return byName.get(name)
}
