import { availableParallelism } from 'node:os'
import type { Config } from '../../shared/config.ts'
import { Failure } from '../../shared/failure.ts'

/** Reads the value of --workers. */
export function readWorkers(text: string, { databaseUrl }: Config): number {
  const count = text === 'auto' ? availableParallelism() : /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0
  if (count === 0) throw new Failure(`--workers must be auto or an integer from 1 to 999, got "${text}".`)
  if (count > 1 && databaseUrl === 'sqlite::memory:') {
    throw new Failure('--workers needs a database that processes can share: set PETSTORE_DATABASE_URL to a file.')
  }
  return count
}
