import type { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../../contract/environment.ts'
import { refuseOtherEnvironment } from '../../shared/environment.ts'
import { refuseOtherSchema } from '../../shared/refusals.ts'
import { environmentOf } from './environment.ts'
import { latestSchema, refuseForeign, schemaNumber } from './migrate.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'

/** Refuses a database that this version cannot read as it is: it must be ours, migrated, complete and of this environment. */
export function refuseUnusable(db: DatabaseSync, path: string, environment: Environment | undefined): void {
  refuseForeign(db, path)
  refuseOtherSchema(path, schemaNumber(db), latestSchema())
  refuseUnfinishedCopy(db, path)
  refuseOtherEnvironment(path, environmentOf(db), environment)
}
