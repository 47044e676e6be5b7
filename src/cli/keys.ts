import { maxKeyNameLength } from '../contract/key.ts'
import { type Permission, permissions } from '../contract/operation.ts'
import { newApiKey } from '../inventory/key-secret.ts'
import { type ApiKey, inheritedExpiry, keyState, type NewApiKey } from '../inventory/keys.ts'
import type { Storage } from '../inventory/storage.ts'
import type { Config } from './shared/config.ts'
import { Failure } from './shared/failure.ts'
import { readFutureTime } from './future-time.ts'
import { printable, table } from './shared/table.ts'
import { databaseOf, readStorage, withStorage } from './shared/with-storage.ts'

export interface CreateOptions {
  name: string
  permission: string
  expires?: string
  json?: boolean
}

export async function createKey({ name, permission, expires, json = false }: CreateOptions): Promise<void> {
  checkKeyName(name)
  if (!isPermission(permission)) throw new Failure(permissionWords(permission))
  const expiresAt = expires === undefined ? undefined : readFutureTime('--expires', expires, Date.now())
  await withStorage('Keys', async ({ keys }, config) => {
    const { secret, key } = newKey(config, name, permission, expiresAt)
    await keys.create(key)
    say(
      json,
      keyOut(key, secret),
      `Created ${key.id} (${printable(name)}) in ${databaseOf(config)}. The key, shown only now:\n\n  ${secret}\n`,
    )
  })
}

/** The rule of the API for the name of a key. */
export function checkKeyName(name: string): void {
  if (name.trim() === '' || Array.from(name).length > maxKeyNameLength)
    throw new Failure(`--name must have 1 to ${maxKeyNameLength} characters, not only white space.`)
}

export async function listKeys({ json = false }: { json?: boolean }): Promise<void> {
  await readStorage('Keys', async ({ keys }, config) => {
    const all = await keys.list()
    const now = Date.now()
    if (json)
      return say(
        true,
        all.map((key) => ({ ...keyOut(key), state: keyState(key, now) })),
        '',
      )
    if (all.length === 0)
      return say(
        false,
        [],
        `There are no keys in ${databaseOf(config)} yet. Create one: petstore keys create --name "my key"`,
      )
    const rows = all.map((key) => [
      key.id,
      key.name,
      key.permission,
      keyState(key, now),
      time(key.createdAt),
      time(key.expiresAt, 'never'),
      time(key.lastUsedAt, 'never'),
      key.replacedBy ?? '',
    ])
    const keyTable = table(
      ['ID', 'NAME', 'PERMISSION', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'REPLACED BY'],
      rows,
    )
    say(false, [], `${keyTable}\n\nThe keys of ${databaseOf(config)}.`)
  })
}

export async function revokeKey(which: string, { json = false }: { json?: boolean }): Promise<void> {
  await withStorage('Keys', async (storage, config) => {
    const key = await pick(storage, which)
    const revocation = await storage.keys.revoke(key.id, Date.now())
    if (revocation.outcome !== 'revoked') throw new Failure(`${key.id} cannot be revoked: ${revocation.outcome}.`)
    say(
      json,
      keyOut(revocation.key),
      `Revoked ${key.id} (${printable(key.name)}) in ${databaseOf(config)}. It is refused from now on.`,
    )
  })
}

export interface RotateOptions {
  grace: string
  expires?: string
  json?: boolean
}

/** The new key expires like the old one, unless --expires is given. */
export async function rotateKey(which: string, { grace, expires, json = false }: RotateOptions): Promise<void> {
  const now = Date.now()
  const until = readFutureTime('--grace', grace, now, { mayBeNow: true })
  const newExpiry = expires === undefined ? undefined : readFutureTime('--expires', expires, now)
  await withStorage('Keys', async (storage, config) => {
    const old = await pick(storage, which)
    const { secret, key } = newKey(
      config,
      old.name,
      old.permission,
      newExpiry ?? (await inheritedExpiry(storage.keys, old)),
    )
    const rotation = await storage.keys.rotate(old.id, key, until)
    if (rotation.outcome === 'replaced') {
      const { successorId } = rotation
      throw new Failure(
        `${old.id} has a working successor, ${successorId}. If its secret was lost, run petstore keys revoke ` +
          `${successorId} and rotate again.`,
      )
    }
    if (rotation.outcome === 'ended') throw new Failure(`${old.id} is ${rotation.state}: create a new key instead.`)
    if (rotation.outcome !== 'rotated') throw new Failure(`${old.id} cannot be rotated: ${rotation.outcome}.`)
    const { expiresAt: ends = until } = rotation.replaced
    say(
      json,
      { ...keyOut(key, secret), replaces: old.id, replacedKeyExpiresAt: new Date(ends).toISOString() },
      `Created ${key.id} (${printable(key.name)}) in ${databaseOf(config)}, which ${expiryOf(key)}; ${old.id} works until ${time(ends)}. ` +
        `The new key, shown only now:\n\n  ${secret}\n`,
    )
  })
}

export function permissionWords(given: string): string {
  return `--permission must be read, write or admin, got "${given}".`
}

export function isPermission(text: string): text is Permission {
  return permissions.includes(text as Permission)
}

function newKey({ environment }: Config, name: string, permission: Permission, expiresAt: number | undefined) {
  const facts = { name, permission, createdAt: Date.now() }
  return newApiKey(environment, expiresAt === undefined ? facts : { ...facts, expiresAt })
}

/** Finds a key by its id, or by a name that only one active key has. */
async function pick({ keys }: Storage, which: string): Promise<ApiKey> {
  const all = await keys.list()
  const byId = all.find(({ id }) => id === which)
  if (byId !== undefined) return byId
  const named = all.filter((key) => key.name === which && keyState(key, Date.now()) === 'active')
  if (named.length > 1) throw new Failure(`${named.length} active keys are called "${which}": use the id.`)
  if (named[0] === undefined)
    throw new Failure(`No key has the id or the name "${which}": petstore keys list shows them.`)
  return named[0]
}

// The output of --json: times in RFC 3339, never the hash, the key itself only if it was just created.
function keyOut({ id, name, permission, ...times }: ApiKey | NewApiKey, key?: string) {
  const { createdAt, expiresAt, revokedAt, lastUsedAt, replacedBy } = times as ApiKey
  const out: Record<string, string> = { id, name, permission }
  if (key !== undefined) out['key'] = key
  for (const [member, at] of Object.entries({ createdAt, expiresAt, revokedAt, lastUsedAt })) {
    if (at !== undefined) out[member] = new Date(at).toISOString()
  }
  if (replacedBy !== undefined) out['replacedBy'] = replacedBy
  return out
}

function say(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`)
}

function expiryOf({ expiresAt }: NewApiKey): string {
  return expiresAt === undefined ? 'does not expire' : `expires at ${time(expiresAt)}`
}

function time(at: number | undefined, none = ''): string {
  return at === undefined ? none : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`
}
