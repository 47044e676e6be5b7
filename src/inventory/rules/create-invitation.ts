import { invitationMs } from '../../contract/invitation.ts'
import { timeAfter } from '../../contract/time.ts'
import type { InvitationCreation, InvitationToMake } from '../invitations.ts'
import type { KeyAdmin } from '../keys.ts'
import type { StoredInvitation } from '../stored-invitation.ts'
import { mayChangeKeys } from './admin-keys.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface CreateInvitation {
  invitation: InvitationToMake
  at: number
  by?: KeyAdmin | undefined
}

/** An admin may invite to a key of any permission, for 24 hours at most. */
export function createInvitation(facts: Facts, { invitation, at, by }: CreateInvitation): Decision<InvitationCreation> {
  const { name, permission, hash, expiresAt = timeAfter(at, invitationMs) } = invitation
  if (!mayChangeKeys(facts, by, at)) return unchanged({ outcome: 'unauthorized' })
  if (expiresAt <= at) return unchanged({ outcome: 'expired' })
  if (expiresAt > at + invitationMs) return unchanged({ outcome: 'too_long' })
  const item: StoredInvitation = {
    id: facts.nextId('invitations'),
    name,
    permission,
    hash,
    ...(by !== undefined && { invitedBy: by }),
    createdAt: new Date(at).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
  return changed({ outcome: 'created', invitation: item }, [{ type: 'resource.put', table: 'invitations', item }])
}
