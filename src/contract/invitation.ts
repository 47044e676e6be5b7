import type { Static } from 'typebox'
import { KeyName, KeyPermission } from './key.ts'
import { encodeWithId } from './json.ts'
import { id } from './parameters.ts'
import { timesLike, Type } from './schema.ts'

/** How long an invitation lasts, unless it is to end earlier. */
export const invitationMs = 24 * 60 * 60 * 1000

const tokenExample = 'pet_invite_EXAMPLE'

const example = {
  id: 1,
  name: 'Anna',
  permission: 'write',
  state: 'open',
  invitedBy: 'key_krn63qiYIVuH',
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: '2026-11-16T09:30:00.000Z',
}

const time = timesLike(example.createdAt)

export const NewInvitation = Type.Object(
  {
    name: Type.String({
      ...KeyName,
      description: 'Who is invited; their key gets this name: 1 to 100 characters, not only white space, no NUL.',
      examples: [example.name],
    }),
    permission: KeyPermission,
    // Without an example, which would be true for a day only.
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the invitation ends: a time to come, at most 24 hours from now, which is the default.',
      }),
    ),
  },
  {
    $id: 'NewInvitation',
    description: 'An invitation to make. Unknown members are ignored.',
    examples: [{ name: example.name, permission: example.permission }],
  },
)
export type NewInvitation = Static<typeof NewInvitation>

const members = {
  id: id('Unique identifier, never used twice.'),
  name: Type.String({ description: 'Who is invited. Their key gets this name.', examples: [example.name] }),
  permission: KeyPermission,
  state: Type.Enum(['open', 'ended'], {
    type: 'string',
    description:
      'Whether the invitation works. `ended`: it has expired, or the key that made it has, or was revoked. An invitation ' +
      'that was used is not there any more: its key is.',
    examples: [example.state],
  }),
  invitedBy: Type.Optional(
    Type.String({
      description: 'The id of the key that made the invitation. Absent if it was made on the command line.',
      examples: [example.invitedBy],
    }),
  ),
  createdAt: time('When the invitation was made.'),
  expiresAt: time('When the invitation ends.', example.expiresAt),
}

export const Invitation = Type.Object(members, {
  $id: 'Invitation',
  description: 'An invitation without its token, which the service does not have.',
  examples: [example],
})
export type Invitation = Static<typeof Invitation>

const currentExample = {
  name: example.name,
  permission: example.permission,
  invitedBy: 'Ms. Ahmadi',
  expiresAt: example.expiresAt,
}

export const CurrentInvitation = Type.Object(
  {
    name: members.name,
    permission: members.permission,
    invitedBy: Type.String({
      description:
        'The name of the key that made the invitation: `PETSTORE_API_KEY` for that of the settings, `command line` if there ' +
        'was none.',
      examples: [currentExample.invitedBy],
    }),
    expiresAt: members.expiresAt,
  },
  {
    $id: 'CurrentInvitation',
    description: 'What an invitation says to whom is invited.',
    examples: [currentExample],
  },
)
export type CurrentInvitation = Static<typeof CurrentInvitation>

export const Invitations = Type.Array(Invitation, {
  $id: 'Invitations',
  description: 'A page of invitations.',
  examples: [[example]],
})

const token = {
  token: Type.String({
    description: 'The token that `POST /invitations/redeem` exchanges for a key. It is in this response only.',
    examples: [tokenExample],
  }),
  link: Type.String({
    description: 'The address to send to whom is invited: the console, with the token in the fragment.',
    examples: [`https://petstore.example/#invitation=${tokenExample}`],
  }),
}

export const CreatedInvitation = Type.Object(
  { ...members, ...token },
  {
    $id: 'CreatedInvitation',
    description: 'A new invitation, with its token.',
    examples: [{ ...example, token: tokenExample, link: `https://petstore.example/#invitation=${tokenExample}` }],
  },
)
export type CreatedInvitation = Static<typeof CreatedInvitation>

/** The JSON of an invitation, also of one with its token: the members in the order of the object. */
export const encodeInvitation: (invitation: Invitation | CreatedInvitation) => string = encodeWithId
