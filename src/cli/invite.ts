import { newInvitationToken } from '../inventory/stored-invitation.ts'
import { readFutureTime } from './future-time.ts'
import { checkKeyName, isPermission, permissionWords } from './keys.ts'
import { baseUrls, type Config } from './shared/config.ts'
import { Failure } from './shared/failure.ts'
import { printable } from './shared/table.ts'
import { databaseOf, withStorage } from './shared/with-storage.ts'

export interface InviteOptions {
  name: string
  permission: string
  expires: string
  json?: boolean
}

/** Makes an invitation and prints its link once. */
export async function invite({ name, permission, expires, json = false }: InviteOptions): Promise<void> {
  checkKeyName(name)
  if (!isPermission(permission)) throw new Failure(permissionWords(permission))
  const expiresAt = readFutureTime('--expires', expires, Date.now())
  await withStorage('Invitations', async ({ invitations }, config) => {
    const { token, hash } = newInvitationToken()
    const creation = await invitations.create({ name, permission, hash, expiresAt })
    if (creation.outcome !== 'created') {
      const rule = creation.outcome === 'expired' ? 'in the future' : 'at most 24 hours from now'
      throw new Failure(`--expires must be ${rule}, got "${expires}".`)
    }
    const { id, createdAt, expiresAt: end } = creation.invitation
    const link = `${consoleAddress(config)}#invitation=${token}`
    const out = { id: Number(id), name, permission, createdAt, expiresAt: end, token, link }
    const text =
      `Invited ${printable(name)} to ${databaseOf(config)}, until ${end.slice(0, 16).replace('T', ' ')}Z. The link makes a key, once. ` +
      `It is shown only now:\n\n  ${link}\n`
    process.stdout.write(`${json ? JSON.stringify(out, null, 2) : text}\n`)
  })
}

/** Where the console is: at the public address, or at the one that `serve` listens on. */
function consoleAddress(config: Config): string {
  const base = baseUrls(config)[config.environment]
  if (base !== undefined) return base.replace(/v1$/, '')
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.host] ?? config.host
  const protocol = config.tlsCert === undefined ? 'http' : 'https'
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${config.port}/`
}
