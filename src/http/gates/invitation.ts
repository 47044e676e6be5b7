import type { Clock } from '../../inventory/clock.ts'
import type { Invitations } from '../../inventory/invitations.ts'
import { hasExpired, type StoredInvitation } from '../../inventory/stored-invitation.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { limitInvitations } from './rate-limit.ts'

/** The invitation of a request, by the hash of its bearer token, if there is one; undefined if it does not work. */
export type FindInvitation = (
  request: ReceivedRequest,
  hash: string | undefined,
) => Promise<StoredInvitation | undefined>

/**
 * For the operations whose bearer token is that of an invitation. Unknown, used, removed and expired ones cost the
 * same: one look-up by a hash. An address may try few of these; one that works is never held back by them.
 */
export function invitationFinder(invitations: Invitations, clock: Clock): FindInvitation {
  const limit = limitInvitations(clock)

  return async (request, hash) => {
    const invitation = hash === undefined ? undefined : await invitations.findByHash(hash)
    if (invitation !== undefined && !hasExpired(invitation, clock())) return invitation
    limit(request)
    return undefined
  }
}
