import type { Check } from '../shop/check.ts'
import { authenticationChecks } from './authentication.ts'
import { bodyChecks, errorChecks } from './bodies.ts'
import { createChecks } from './create.ts'
import { getChecks, versionChecks } from './get.ts'
import { listChecks } from './list.ts'
import { resourceChecks } from './resources.ts'

/** Every check, in the order of the contract. */
export const allChecks: readonly Check[] = [
  ...resourceChecks,
  ...bodyChecks,
  ...listChecks,
  ...createChecks,
  ...getChecks,
  ...authenticationChecks,
  ...errorChecks,
  ...versionChecks,
]
