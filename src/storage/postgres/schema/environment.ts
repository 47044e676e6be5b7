import type { Environment } from '../../../contract/environment.ts'
import { environmentProperty, refuseOtherEnvironment } from '../../shared/environment.ts'
import { beginWriting } from '../connection/begin.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'

const tableExists: Statement = { text: "SELECT to_regclass('properties') IS NOT NULL" }
const find: Statement = { text: 'SELECT value FROM properties WHERE name = $1' }
const stamp: Statement = { text: 'INSERT INTO properties (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING' }

/** The environment of the database's first start. */
export async function environmentOf({ run }: Session): Promise<string | undefined> {
  if (!((await run(tableExists)).rows[0] as [boolean])[0]) return undefined
  const [row] = (await run(find, [environmentProperty])).rows as [string][]
  return row?.[0]
}

/** Assigns a migrated database to the first environment that starts it, and refuses the other. */
export async function claimForEnvironment(session: Session, shown: string, environment: Environment): Promise<void> {
  if ((await environmentOf(session)) === undefined) await assign(session, environment)
  refuseOtherEnvironment(shown, await environmentOf(session), environment)
}

/** A caller that it fails must drop the session. */
async function assign({ run }: Session, environment: Environment): Promise<void> {
  await run(beginWriting)
  await run(stamp, [environmentProperty, environment])
  await run({ text: 'COMMIT' })
}
