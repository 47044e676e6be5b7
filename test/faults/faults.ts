import { diskErrors, powerLoss, powerLossAtCheckpoints } from './disk-faults.ts'
import { postgresFaults } from './postgres-faults.ts'
import { sqliteFaults } from './sqlite-faults.ts'

// `npm run test:faults`. Every fault strikes a service under load, with clients that follow its events. In the end the
// shop is held against a ledger of what clients were told.

const rounds = Number(process.env['PETSTORE_FAULT_ROUNDS'] ?? 10)

sqliteFaults(rounds)
powerLoss(rounds)
powerLossAtCheckpoints(rounds)
diskErrors(rounds)
postgresFaults(rounds)
