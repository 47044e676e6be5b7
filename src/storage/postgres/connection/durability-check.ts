import { StorageError } from '../../shared/errors.ts'
import type { Session, Statement } from './database.ts'
import type { Server } from './server.ts'

const promises: Statement = {
  text: "SELECT current_setting('server_encoding'), current_setting('synchronous_commit')",
}

/** Refuses a database that could lose data, before anything in it is changed. */
export async function refuseUnsafe(session: Session, { shown }: Server): Promise<void> {
  const { rows } = await session.run(promises)
  const [encoding, synchronousCommit] = rows[0] as [string, string]
  if (encoding !== 'UTF8') {
    throw new StorageError(
      `The database ${shown} has the encoding ${encoding}, but needs UTF8: names would be damaged.`,
    )
  }
  if (synchronousCommit === 'off') {
    throw new StorageError(
      `The database ${shown} has synchronous_commit off: it would acknowledge animals that are not on disk yet.`,
    )
  }
}
