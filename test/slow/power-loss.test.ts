import { powerLoss } from '../faults/disk-faults.ts'

// The short form of `npm run test:faults`. Other tests have the other faults, once each.

powerLoss(2)
