import type { Redemption } from '../invitations.ts'
import type { KeyAdmin, NewApiKey } from '../keys.ts'
import { hasExpired } from '../stored-invitation.ts'
import { mayChangeKeys } from './admin-keys.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RedeemInvitation {
  id: bigint
  /** Of the token. */
  hash: string
  key: Pick<NewApiKey, 'id' | 'hash'>
  at: number
  /** The key that made the invitation, which is stored with it. */
  by?: KeyAdmin | undefined
}

/** An invitation works once, until it expires, and only while the key that made it does. */
export function redeemInvitation(facts: Facts, { id, hash, key, at, by }: RedeemInvitation): Decision<Redemption> {
  const invitation = facts.find('invitations', id)
  if (invitation === undefined || invitation.hash !== hash || invitation.invitedBy !== by)
    return unchanged({ outcome: 'refused' })
  if (hasExpired(invitation, at) || !mayChangeKeys(facts, by, at)) return unchanged({ outcome: 'refused' })
  const { name, permission } = invitation
  const made = { ...key, name, permission, createdAt: at }
  return changed({ outcome: 'redeemed', key: made }, [
    { type: 'resource.removed', table: 'invitations', id },
    { type: 'key.created', key: made },
  ])
}
