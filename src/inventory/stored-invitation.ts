import { NewInvitation } from '../contract/invitation.ts'
import { membersOf } from '../contract/members.ts'
import { Int64, type ResourceOf, Type } from '../contract/schema.ts'
import { keyHash } from './key-secret.ts'
import { randomText } from './random-text.ts'

const time = Type.String({ format: 'date-time' })

/** An invitation as it is stored. It is there until it is used, removed or forgotten. */
export const StoredInvitation = Type.Object({
  id: Type.Unsafe<bigint>({ ...Int64, minimum: 1 }),
  name: NewInvitation.properties.name,
  permission: NewInvitation.properties.permission,
  /** The SHA-256 of the token, which is not stored. */
  hash: Type.String({ minLength: 1 }),
  /** The id of the key that made it. Absent: the command line. */
  invitedBy: Type.Optional(Type.String({ minLength: 1 })),
  createdAt: time,
  expiresAt: time,
})
export type StoredInvitation = ResourceOf<typeof StoredInvitation>

export const invitationMembers = membersOf(StoredInvitation)

/** The token of a new invitation: 32 random characters (190 bits) after a prefix for secret scanners. And its hash. */
export function newInvitationToken(): { token: string; hash: string } {
  const token = `pet_invite_${randomText(32)}`
  return { token, hash: keyHash(token) }
}

export function hasExpired({ expiresAt }: Pick<StoredInvitation, 'expiresAt'>, now: number): boolean {
  return Date.parse(expiresAt) <= now
}
