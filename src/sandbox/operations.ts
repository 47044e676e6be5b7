import type { Operation } from '../contract/operation.ts'
import { listBugs, putBugs } from './bug-operations.ts'
import { getClock, putClock } from './clock-operations.ts'
import { deleteFaults, listFaults, putFaults } from './fault-operations.ts'
import { getSnapshot, putSnapshot, resetShop } from './file-operations.ts'
import { deleteRequests, listRequests } from './journal-operations.ts'

/** The operations that only a sandbox has. */
export const sandboxOperations: readonly Operation[] = [
  resetShop,
  getSnapshot,
  putSnapshot,
  getClock,
  putClock,
  listFaults,
  putFaults,
  deleteFaults,
  listBugs,
  putBugs,
  listRequests,
  deleteRequests,
]
