import { powerLoss } from './disk-faults.ts'

// The short form of `npm run test:faults`. Other tests of `npm test` have the other faults, once each.

powerLoss(2)
