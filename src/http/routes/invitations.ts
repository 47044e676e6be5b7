import type { Environment } from '../../contract/environment.ts'
import { type CurrentInvitation, encodeInvitation, type Invitation } from '../../contract/invitation.ts'
import {
  createInvitation,
  deleteInvitation,
  getCurrentInvitation,
  getInvitation,
  listInvitations,
  redeemInvitation,
} from '../../contract/operations/invitations.ts'
import { int64FromText } from '../../contract/int64.ts'
import type { Clock } from '../../inventory/clock.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { InvitationCreation, InvitationRemoval, Invitations, Redemption } from '../../inventory/invitations.ts'
import { newKeyId, newKeySecret, keyHash } from '../../inventory/key-secret.ts'
import { type Keys, keyState } from '../../inventory/keys.ts'
import { endOf } from '../../inventory/page.ts'
import { hasExpired, newInvitationToken, type StoredInvitation } from '../../inventory/stored-invitation.ts'
import type { Exchange, Route } from '../exchange.ts'
import { challenge, noInvitation, unauthorized } from '../replies/challenge.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { resourceReply } from '../replies/etag.ts'
import { emptyReply, jsonReply } from '../replies/json.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { refuseIdempotencyKey } from '../request/idempotency-key.ts'
import { operationRoute } from '../route.ts'
import { adminOf, secretReply, shownKey } from './keys.ts'

export interface InvitationRoutesOptions {
  invitations: Invitations
  keys: Keys
  environment: Environment
  clock: Clock
}

const scope = 'invitations'

export function invitationRoutes({ invitations, keys, environment, clock }: InvitationRoutesOptions): Route[] {
  /** What clients see. A key that is not stored, that of the settings, has not ended. */
  async function shown(stored: readonly StoredInvitation[]): Promise<Invitation[]> {
    const ids = new Set(stored.flatMap(({ invitedBy }) => invitedBy ?? []))
    const now = clock()
    const ended = new Set(
      (await keys.findByIds([...ids])).filter((key) => keyState(key, now) !== 'active').map(idOfKey),
    )
    return stored.map(({ id, name, permission, invitedBy, createdAt, expiresAt }) => ({
      id,
      name,
      permission,
      state: hasExpired({ expiresAt }, now) || (invitedBy !== undefined && ended.has(invitedBy)) ? 'ended' : 'open',
      ...(invitedBy !== undefined && { invitedBy }),
      createdAt,
      expiresAt,
    }))
  }

  return [
    operationRoute(listInvitations, async ({ query: { limit, cursor } }, exchange) => {
      const page = await invitations.list(limit, decodeCursor(cursor, scope)?.id ?? 0n)
      const id = endOf(page)
      const next =
        id === undefined ? undefined : nextPage('/invitations', {}, limit, { cursor: encodeCursor({ id }, scope) })
      return pageReply(
        exchange,
        encodedPage(await encodeBody(await shown(page.items), encodeInvitation, exchange), { next }),
      )
    }),

    operationRoute(createInvitation, async ({ body }, exchange) => {
      refuseIdempotencyKey(exchange.request)
      const { name, permission, expiresAt } = body
      const { token, hash } = newInvitationToken()
      const end = expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }
      const creation = await invitations.create({ name, permission, hash, ...end }, adminOf(exchange))
      if (creation.outcome !== 'created') throw refusalOf(creation.outcome, exchange)
      const [invitation] = (await shown([creation.invitation])) as [Invitation]
      const location = `${exchange.request.base}/invitations/${invitation.id}`
      const link = `${exchange.request.base.replace(/v1$/, '')}#invitation=${token}`
      return jsonReply(encodeInvitation({ ...invitation, token, link }), { location }, 201)
    }),

    operationRoute(getInvitation, async ({ params }) => {
      const found = await invitations.find(idOf(params))
      if (found === undefined) throw missing()
      const [invitation] = (await shown([found])) as [Invitation]
      return resourceReply(encodeInvitation(invitation))
    }),

    operationRoute(deleteInvitation, async ({ params }, exchange) => {
      const { outcome } = await invitations.remove(idOf(params), adminOf(exchange))
      if (outcome !== 'removed') throw refusalOf(outcome, exchange)
      return emptyReply
    }),

    operationRoute(getCurrentInvitation, async (_input, exchange) => {
      const stored = exchange.findings.invitation as StoredInvitation
      const { name, permission, invitedBy, expiresAt } = stored
      const [invitation] = (await shown([stored])) as [Invitation]
      // Its key would not be made.
      if (invitation.state === 'ended') throw refusalOf('refused', exchange)
      const [inviter] = invitedBy === undefined ? [] : await keys.findByIds([invitedBy])
      const unstored = invitedBy === undefined ? 'command line' : 'PETSTORE_API_KEY'
      return resourceReply(
        JSON.stringify({
          name,
          permission,
          invitedBy: inviter?.name ?? unstored,
          expiresAt,
        } satisfies CurrentInvitation),
      )
    }),

    operationRoute(redeemInvitation, async (_input, exchange) => {
      refuseIdempotencyKey(exchange.request)
      const secret = newKeySecret(environment)
      const made = { id: newKeyId(), hash: keyHash(secret) }
      const redemption = await invitations.redeem(exchange.findings.invitation as StoredInvitation, made)
      if (redemption.outcome !== 'redeemed') throw refusalOf(redemption.outcome, exchange)
      return secretReply(exchange, { ...shownKey(redemption.key, clock()), key: secret })
    }),
  ]
}

function idOf({ invitationId }: { invitationId: string }): bigint {
  const id = int64FromText(invitationId)
  if (id === undefined) throw missing()
  return id
}

function idOfKey({ id }: { id: string }): string {
  return id
}

type Outcome = (InvitationCreation | InvitationRemoval | Redemption)['outcome']

function refusalOf(outcome: Exclude<Outcome, 'created' | 'removed' | 'redeemed'>, exchange: Exchange): PetStoreError {
  switch (outcome) {
    case 'unauthorized':
      challenge(exchange)
      return unauthorized()
    case 'refused':
      challenge(exchange)
      return noInvitation()
    case 'expired':
      return invalidExpiry('must be a time in the future')
    case 'too_long':
      return invalidExpiry('must be at most 24 hours from now')
    case 'missing':
      return missing()
  }
}

function invalidExpiry(rule: string): PetStoreError {
  return new PetStoreError('invalid_body', `expiresAt ${rule}.`, { fields: ['expiresAt'] })
}

function missing(): PetStoreError {
  return new PetStoreError('not_found', 'No invitation has this id.')
}
