import { StorageError } from '../../shared/errors.ts'
import type { Session } from './database.ts'
import type { Statement } from './statement.ts'
import type { Server } from './server.ts'

const askEncoding: Statement = { text: "SELECT current_setting('server_encoding')" }

/** Refuses a database that would damage names, before anything in it is changed. */
export async function refuseOtherEncoding(session: Session, { shown }: Server): Promise<void> {
  const [encoding] = (await session.run(askEncoding)).rows[0] as [string]
  if (encoding !== 'UTF8') {
    throw new StorageError(
      `The database ${shown} has the encoding ${encoding}, but needs UTF8: names would be damaged.`,
    )
  }
}
