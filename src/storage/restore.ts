import { accessSync, constants, statSync } from 'node:fs'
import type { Environment } from '../contract/environment.ts'
import { newApiKey } from '../inventory/key-secret.ts'
import { checkStorage } from './check/check.ts'
import { openStorage } from './open.ts'
import { StorageError } from './shared/errors.ts'
import { readDatabaseUrl, withoutPassword } from './shared/url.ts'
import { approveBackup, type BackupContents, contentsOf, damageOf } from './sqlite/upkeep/backup-file.ts'
import { latestSchema } from './sqlite/schema/migrate.ts'
import { type PreviousFiles, replaceDatabase } from './sqlite/upkeep/replace-database.ts'

export interface RestoreOptions {
  environment: Environment
  /** Replaces an existing database, which is kept under another name. */
  overwrite: boolean
  /** Ends all keys of the backup and makes a new admin key: keys that were revoked since would work again. */
  withoutKeys?: boolean
}

export interface Restored extends BackupContents {
  /** The schema number of the backup, and of this version. The next start migrates an older one. */
  schema: number
  latestSchema: number
  previous: PreviousFiles
  /** The new admin key, with `withoutKeys`. */
  newKey: string | undefined
}

type Approved = Omit<Restored, 'previous'>

/**
 * Puts a verified copy of a backup in the place of a database that nobody has open. A kill or a power loss at any moment
 * leaves the old database or the new one. A refusal changes nothing.
 */
export async function restoreStorage(
  url: string,
  file: string,
  { environment, overwrite, withoutKeys = false }: RestoreOptions,
): Promise<Restored> {
  const database = readDatabaseUrl(url)
  if (database.engine === 'postgres') {
    throw new StorageError(
      'PostgreSQL restores its own backups: stop the service, make an empty database and run pg_restore ' +
        `--single-transaction --dbname='${withoutPassword(url)}' ${file}.`,
    )
  }
  const { path } = database
  if (path === ':memory:') throw new StorageError('An in-memory database cannot be restored: use a file.')
  refuseUnusable(file, path)
  let found: Approved | undefined
  const previous = await replaceDatabase(path, file, overwrite, async (copy) => {
    found = { ...(await verify(copy, file, environment)), newKey: undefined }
    const { keys, webhooks, invitations, schema, latestSchema: latest } = found
    if (!withoutKeys && webhooks + invitations === 0) return
    const newKey = await changeBackup(copy, environment, withoutKeys)
    // It has been migrated.
    if (schema < latest) found = { ...(await verify(copy, file, environment)), keys, webhooks, invitations, newKey }
    else found = { ...found, newKey }
  })
  return { ...(found as Approved), previous }
}

function refuseUnusable(file: string, path: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new StorageError(`There is no file ${file} to restore.`)
  if (!found.isFile()) throw new StorageError(`${file} is not a file: name a backup.`)
  const old = statSync(path, { throwIfNoEntry: false })
  if (old?.ino === found.ino && old.dev === found.dev) {
    throw new StorageError(`${file} is the database itself: name a backup.`)
  }
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw new StorageError(`The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  const log = ['-wal', '-journal'].find((ending) => statSync(file + ending, { throwIfNoEntry: false })?.size)
  if (log !== undefined) {
    throw new StorageError(
      `${file} is a database in use, because ${file}${log} has changes for it: copy it with petstore backup.`,
    )
  }
}

/** `copy` is verified, because it becomes the database; `file` is its name for the operator. */
async function verify(copy: string, file: string, environment: Environment): Promise<Omit<Approved, 'newKey'>> {
  const schema = approveBackup(copy, file, environment)
  const fault = schema === latestSchema() ? await firstFault(copy, environment) : damageOf(copy)
  if (fault !== undefined) throw new StorageError(`The backup ${file} is not intact: ${fault}`)
  return { ...contentsOf(copy), schema, latestSchema: latestSchema() }
}

async function firstFault(copy: string, environment: Environment): Promise<string | undefined> {
  for await (const { result, sentences } of checkStorage(`sqlite:${copy}`, environment)) {
    if (result === 'wrong') return sentences[0]
  }
  return undefined
}

/**
 * Disables the webhooks and ends the invitations of a database that nobody uses yet. If asked to, revokes all its keys
 * and returns a new one. An older schema is migrated for that.
 */
async function changeBackup(copy: string, environment: Environment, withoutKeys: boolean): Promise<string | undefined> {
  const storage = await openStorage(`sqlite:${copy}`, { environment })
  try {
    await storage.webhooks.disableAll('restored')
    await storage.invitations.endAll()
    if (!withoutKeys) return undefined
    const now = Date.now()
    const active = (await storage.keys.list()).filter(({ revokedAt }) => revokedAt === undefined)
    await Promise.all(active.map(({ id }) => storage.keys.revoke(id, now)))
    const { secret, key } = newApiKey(environment, { name: 'restored', permission: 'admin', createdAt: now })
    await storage.keys.create(key)
    return secret
  } finally {
    await storage.close()
  }
}
