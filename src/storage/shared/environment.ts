import type { Environment } from '../../contract/environment.ts'
import { StorageError } from './errors.ts'

/** The property that stores the environment of a database's first start. */
export const environmentProperty = 'environment'

/** `stamped` is the stored environment, undefined before the first start. */
export function refuseOtherEnvironment(
  shown: string,
  stamped: string | undefined,
  environment: Environment | undefined,
): void {
  if (stamped === undefined || environment === undefined || stamped === environment) return
  throw new StorageError(
    `The database ${shown} belongs to ${stamped}, but PETSTORE_ENVIRONMENT is ${environment}: ` +
      'set PETSTORE_DATABASE_URL or PETSTORE_ENVIRONMENT to match the other.',
  )
}
