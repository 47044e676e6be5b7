import type { InvitationRemoval } from '../invitations.ts'
import type { KeyAdmin } from '../keys.ts'
import { mayChangeKeys } from './admin-keys.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RemoveInvitation {
  id: bigint
  at: number
  by?: KeyAdmin | undefined
}

export function removeInvitation(facts: Facts, { id, at, by }: RemoveInvitation): Decision<InvitationRemoval> {
  if (!mayChangeKeys(facts, by, at)) return unchanged({ outcome: 'unauthorized' })
  if (facts.find('invitations', id) === undefined) return unchanged({ outcome: 'missing' })
  return changed({ outcome: 'removed' }, [{ type: 'resource.removed', table: 'invitations', id }])
}
