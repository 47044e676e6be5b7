import type { Environment } from '../../contract/environment.ts'
import { StorageError } from './errors.ts'

/** The name under which a database keeps the environment that it was first started with. */
export const environmentProperty = 'environment'

/** `stamped` is what the database keeps: undefined before its first start. */
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
