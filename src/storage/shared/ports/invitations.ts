import type { Invitations } from '../../../inventory/invitations.ts'
import type { Engine } from './engine.ts'

/** The writes of invitations that apply no rule. */
export type InvitationUpkeep = Pick<Invitations, 'endAll' | 'forget'>

export function invitationsPort({ find, list, write, clock }: Engine, upkeep: InvitationUpkeep): Invitations {
  return {
    list: (limit, after) => list('invitations', limit, { after }),
    find: (id) => find('invitations', id),
    findByHash: async (hash) => (await list('invitations', 1, { after: 0n, filter: { hash } })).items[0],
    create: (invitation, by) => write('createInvitation', { invitation, at: clock(), by }),
    remove: (id, by) => write('removeInvitation', { id, at: clock(), by }),
    redeem: ({ id, hash, invitedBy: by }, key) => write('redeemInvitation', { id, hash, key, at: clock(), by }),
    ...upkeep,
  }
}
