import type { Check } from '../shop/check.ts'
import { authenticationChecks } from './authentication.ts'
import { bodyChecks, errorChecks } from './bodies.ts'
import { createChecks } from './create.ts'
import { getChecks, versionChecks } from './get.ts'
import { listChecks } from './list.ts'
import { requestChecks } from './recommended-requests.ts'
import { responseChecks } from './recommended-responses.ts'
import { resourceChecks } from './resources.ts'

/** Every check: those of the contract in its order, then our answers where it is silent. */
export const allChecks: readonly Check[] = [
  ...resourceChecks,
  ...bodyChecks,
  ...listChecks,
  ...createChecks,
  ...getChecks,
  ...authenticationChecks,
  ...errorChecks,
  ...versionChecks,
  ...requestChecks,
  ...responseChecks,
]
