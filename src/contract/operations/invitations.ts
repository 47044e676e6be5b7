import type { Static } from 'typebox'
import { CreatedInvitation, CurrentInvitation, Invitation, Invitations, NewInvitation } from '../invitation.ts'
import { CreatedKey } from '../key.ts'
import { bodyErrors, type Operation } from '../operation.ts'
import { cursor, idWithoutExample, limitOf } from '../parameters.ts'
import { Type } from '../schema.ts'

const invitationPath = Type.Object({ invitationId: idWithoutExample('The identifier of the invitation.') })

const forbidden = 'Only an admin key may manage invitations.'
const missing = 'No invitation has this id.'

const shared = { permission: 'admin', stability: 'experimental' } as const

export const ListInvitationsQuery = Type.Object({ limit: limitOf('invitations'), cursor: cursor() })
export type ListInvitationsQuery = Static<typeof ListInvitationsQuery>

export const listInvitations = {
  ...shared,
  id: 'listInvitations',
  method: 'GET',
  path: '/invitations',
  summary: 'List invitations',
  description:
    'Returns a page of invitations without their tokens, ascending by id. Those that were used or removed are not there ' +
    'any more; an expired one is forgotten a week later. Paging works as for `GET /pets`.',
  parameters: { query: ListInvitationsQuery },
  success: {
    status: 200,
    description: 'A page of invitations.',
    body: Invitations,
    headers: ['Link', 'Next-Cursor', 'ETag'],
  },
  errors: [],
  errorMeanings: { forbidden },
} as const satisfies Operation

export const createInvitation = {
  ...shared,
  id: 'createInvitation',
  method: 'POST',
  path: '/invitations',
  summary: 'Invite a colleague',
  description:
    'Makes a link that gives one person a key of their own, once, within 24 hours. Whoever has the link can use it, so send ' +
    'it to nobody else. The token is in this response only; the service keeps a hash of it. So the response cannot be ' +
    'repeated, and an `Idempotency-Key` is refused. The invitation ends with the key that made it.',
  body: NewInvitation,
  success: {
    status: 201,
    description: 'Invitation made; the body includes its link.',
    body: CreatedInvitation,
    headers: ['Location'],
    links: {
      getInvitation: {
        operationId: 'getInvitation',
        description: 'Reads the new invitation.',
        parameters: { invitationId: '$response.body#/id' },
      },
    },
  },
  errors: [...bodyErrors],
  errorMeanings: { forbidden },
} as const satisfies Operation

export const getInvitation = {
  ...shared,
  id: 'getInvitation',
  method: 'GET',
  path: '/invitations/{invitationId}',
  summary: 'Get an invitation',
  description: 'Returns one invitation without its token.',
  parameters: { path: invitationPath },
  success: { status: 200, description: 'The requested invitation.', body: Invitation, headers: ['ETag'] },
  errors: ['not_found'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

export const deleteInvitation = {
  ...shared,
  id: 'deleteInvitation',
  method: 'DELETE',
  path: '/invitations/{invitationId}',
  summary: 'Take an invitation back',
  description: 'Removes an invitation: its link does not work any more. A key that was made with it stays.',
  parameters: { path: invitationPath },
  success: { status: 204, description: 'The invitation was removed.', headers: [] },
  errors: ['not_found'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

const ofWhoIsInvited = {
  stability: 'experimental',
  permission: 'read',
  credential: 'invitation',
} as const

const refused = {
  unauthorized: 'The token is missing or unknown, was used or removed, or has expired.',
  rate_limited: 'The address has sent too many tokens.',
}

export const getCurrentInvitation = {
  ...ofWhoIsInvited,
  id: 'getCurrentInvitation',
  method: 'GET',
  path: '/invitations/current',
  summary: 'Look at an invitation',
  description:
    'Says who invites, for what and until when, before the invitation is accepted. The bearer token is that of the ' +
    'invitation, which works for this operation and `redeemInvitation` only. Nothing is accepted: it can be read again.',
  success: {
    status: 200,
    description: 'The invitation of this token.',
    body: CurrentInvitation,
    headers: ['ETag'],
  },
  errors: [],
  errorMeanings: refused,
} as const satisfies Operation

export const redeemInvitation = {
  ...ofWhoIsInvited,
  id: 'redeemInvitation',
  method: 'POST',
  path: '/invitations/redeem',
  summary: 'Accept an invitation',
  description:
    'Makes the key of an invitation. The bearer token is that of the invitation, which works once. ' +
    'There is no body. The secret of the key is in this response only, and an `Idempotency-Key` is refused. If the ' +
    'response was lost, ask for another invitation.',
  success: {
    status: 201,
    description: 'Key made; the body includes its secret.',
    body: CreatedKey,
    headers: ['Location'],
  },
  errors: [],
  errorMeanings: refused,
} as const satisfies Operation
