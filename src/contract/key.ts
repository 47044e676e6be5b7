import type { Static } from 'typebox'
import { type Permission, permissions } from './operation.ts'
import { PetName } from './pet.ts'
import { timesLike, Type } from './schema.ts'

/** In characters. */
export const maxKeyNameLength = 100

export const KeyName = Type.String({
  ...PetName,
  maxLength: maxKeyNameLength,
  description:
    'Who or what uses the key: 1 to 100 characters, not only white space, no NUL. Two keys may share a name.',
  examples: ['web shop'],
})

export const KeyPermission = Type.Enum(permissions, {
  type: 'string',
  description: 'What a key may do: `read`, or also `write`, or also manage keys (`admin`).',
  examples: ['write'],
})

/** A client that says nothing of permissions gets a key for the operations of the contract. */
export const defaultPermission: Permission = 'write'

const example = {
  id: 'key_krn63qiYIVuH',
  name: 'web shop',
  permission: 'write',
  state: 'active',
  createdAt: '2026-11-15T09:30:00.000Z',
}
/** Far ahead: an example must not become a time in the past, which is refused. */
const later = '2099-12-31T12:00:00.000Z'

const time = timesLike(example.createdAt)

const expiry = Type.Optional(time('When the key expires. Without it, never.', later))

export const NewKey = Type.Object(
  {
    name: KeyName,
    permission: Type.Optional(Type.Unsafe<Permission>({ ...KeyPermission, default: defaultPermission })),
    expiresAt: Type.Optional(time('When the key expires: a time to come. Without it, never.', later)),
  },
  {
    $id: 'NewKey',
    description: 'A key to make. Unknown members are ignored.',
    examples: [{ name: 'web shop', permission: 'write' }],
  },
)
export type NewKey = Static<typeof NewKey>

export const KeyReplacement = Type.Object(
  {
    replacedKeyExpiresAt: Type.Optional(
      time(
        'The old key works until this time, which is to come, unless it expires earlier. Default: 24 hours from now.',
        later,
      ),
    ),
    expiresAt: Type.Optional(
      time('When the new key expires: a time to come. Default: when the old one would have.', later),
    ),
  },
  {
    $id: 'KeyReplacement',
    description: 'How a key is replaced. Unknown members are ignored.',
    examples: [{}],
  },
)
export type KeyReplacement = Static<typeof KeyReplacement>

export const KeyChange = Type.Object(
  { name: KeyName },
  {
    $id: 'KeyChange',
    description: 'The new name of a key. Unknown members are ignored.',
    examples: [{ name: 'web shop' }],
  },
)
export type KeyChange = Static<typeof KeyChange>

const KeyId = Type.String({ description: 'Identifies the key. It may be shown and logged.', examples: [example.id] })

const members = {
  id: KeyId,
  name: Type.String({ description: 'Who or what uses the key.', examples: [example.name] }),
  permission: KeyPermission,
  state: Type.Enum(['active', 'expired', 'revoked'], {
    type: 'string',
    description: 'Whether the key works, and if not, why.',
    examples: ['active'],
  }),
  createdAt: time('When the key was made.'),
  expiresAt: expiry,
  revokedAt: Type.Optional(time('When the key was revoked.')),
  lastUsedAt: Type.Optional(time('When the key was last used. It may be some seconds late.')),
  replacedBy: Type.Optional(
    Type.String({
      description: 'The id of the key that the last rotation made in its place.',
      examples: ['key_8sTqLm2PzX4d'],
    }),
  ),
}

export const Key = Type.Object(members, {
  $id: 'Key',
  description: 'An API key without its secret, which the service does not have.',
  examples: [example],
})
export type Key = Static<typeof Key>

export const Keys = Type.Array(Key, {
  $id: 'Keys',
  description: 'All keys that were ever made, the oldest first.',
  examples: [[example]],
})

const secret = {
  key: Type.String({
    description: 'The key itself, to be sent as a bearer token. It is in this response only.',
    examples: ['pet_live_EXAMPLE'],
  }),
}

export const CreatedKey = Type.Object(
  { ...members, ...secret },
  {
    $id: 'CreatedKey',
    description: 'A new key, with its secret.',
    examples: [{ ...example, key: 'pet_live_EXAMPLE' }],
  },
)
export type CreatedKey = Static<typeof CreatedKey>

const replaced = { replaces: example.id, replacedKeyExpiresAt: '2026-11-16T09:30:00.000Z' }

export const RotatedKey = Type.Object(
  {
    ...members,
    ...secret,
    replaces: Type.String({ description: 'The id of the old key.', examples: [replaced.replaces] }),
    replacedKeyExpiresAt: time('When the old key stops working.'),
  },
  {
    $id: 'RotatedKey',
    description: 'The new key of a rotation, with its secret, and when the old one ends.',
    examples: [{ ...example, id: 'key_8sTqLm2PzX4d', key: 'pet_live_EXAMPLE', ...replaced }],
  },
)
export type RotatedKey = Static<typeof RotatedKey>
