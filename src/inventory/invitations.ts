import type { Permission } from '../contract/operation.ts'
import type { KeyAdmin, NewApiKey } from './keys.ts'
import type { Page } from './page.ts'
import type { StoredInvitation } from './stored-invitation.ts'

/** For how long an expired invitation is still listed. */
export const endedInvitationMs = 7 * 24 * 60 * 60 * 1000

export interface InvitationToMake {
  name: string
  permission: Permission
  /** Of the token. */
  hash: string
  /** Milliseconds since 1970. Default: as late as it may be. */
  expiresAt?: number
}

export type InvitationCreation =
  | { outcome: 'created'; invitation: StoredInvitation }
  /** The admin key does not work any more. Nothing was written. */
  | { outcome: 'unauthorized' }
  /** It would end in the past, or later than an invitation may. Nothing was written. */
  | { outcome: 'expired' }
  | { outcome: 'too_long' }

export type InvitationRemoval =
  | { outcome: 'removed' }
  | { outcome: 'missing' }
  /** The admin key does not work any more. Nothing was written. */
  | { outcome: 'unauthorized' }

export type Redemption =
  | { outcome: 'redeemed'; key: NewApiKey }
  /** It was used or removed meanwhile, has expired, or the key that made it does not work. Nothing was written. */
  | { outcome: 'refused' }

/** Invitations to get a key. test/storage/invitations.test.ts defines it for every engine. */
export interface Invitations {
  /** At most `limit` invitations after the id `after`, 0 for the first, ascending by id. Also expired ones. */
  list(limit: number, after: bigint): Promise<Page<StoredInvitation>>

  /** Undefined if no invitation has this id. */
  find(id: bigint): Promise<StoredInvitation | undefined>

  /** The invitation whose token has this hash, also an expired one. Never late. */
  findByHash(hash: string): Promise<StoredInvitation | undefined>

  /** Resolves when the invitation is on disk. Ids are 1, 2, 3, … and never used twice. */
  create(invitation: InvitationToMake, by?: KeyAdmin): Promise<InvitationCreation>

  remove(id: bigint, by?: KeyAdmin): Promise<InvitationRemoval>

  /**
   * Removes the invitation and adds its key, with its name and permission; both or neither. Of several calls for one
   * invitation, in any process, one succeeds.
   */
  redeem(invitation: StoredInvitation, key: Pick<NewApiKey, 'id' | 'hash'>): Promise<Redemption>

  /** Ends all invitations of a database that comes from another one. Resolves to the number of those that were open. */
  endAll(): Promise<number>

  /** Deletes invitations that expired `endedInvitationMs` ago, a limited number at a time; resolves to their number. */
  forget(): Promise<number>
}
