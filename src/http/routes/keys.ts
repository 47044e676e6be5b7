import type { Environment } from '../../contract/environment.ts'
import { type CreatedKey, defaultPermission, type Key, type RotatedKey } from '../../contract/key.ts'
import { createKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from '../../contract/operations/keys.ts'
import { timeAfter } from '../../contract/time.ts'
import type { Clock } from '../../inventory/clock.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { newApiKey } from '../../inventory/key-secret.ts'
import {
  type ApiKey,
  inheritedExpiry,
  type KeyRotation,
  type Keys,
  keyState,
  type NewApiKey,
} from '../../inventory/keys.ts'
import type { Exchange, Reply, Route } from '../exchange.ts'
import { challenge, unauthorized } from '../replies/challenge.ts'
import { resourceReply } from '../replies/etag.ts'
import { jsonReply } from '../replies/json.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { refuseIdempotencyKey } from '../request/idempotency-key.ts'
import { operationRoute } from '../route.ts'

export interface KeyRoutesOptions {
  keys: Keys
  environment: Environment
  clock: Clock
}

const defaultGraceMs = 24 * 60 * 60 * 1000

export function keyRoutes({ keys, environment, clock }: KeyRoutesOptions): Route[] {
  async function find(id: string): Promise<ApiKey> {
    const [key] = await keys.findByIds([id])
    if (key === undefined) throw notFound()
    return key
  }

  return [
    operationRoute(listKeys, async (_input, exchange) => {
      const all = await keys.list()
      const now = clock()
      return pageReply(
        exchange,
        encodedPage(await encodeBody(all, (key) => JSON.stringify(shownKey(key, now)), exchange)),
      )
    }),

    operationRoute(getKey, async ({ params }) =>
      resourceReply(JSON.stringify(shownKey(await find(idOf(params)), clock()))),
    ),

    operationRoute(createKey, async ({ body }, exchange) => {
      refuseIdempotencyKey(exchange.request)
      const { name, permission = defaultPermission, expiresAt } = body
      const now = clock()
      const members = { name, permission, createdAt: now, ...(expiresAt && { expiresAt: Date.parse(expiresAt) }) }
      const { secret, key } = newApiKey(environment, members)
      const { outcome } = await keys.create(key, adminOf(exchange))
      if (outcome !== 'created') throw refusalOf(outcome, exchange)
      return secretReply(exchange, { ...shownKey(key, now), key: secret })
    }),

    operationRoute(updateKey, async ({ params, body }, exchange) => {
      const now = clock()
      const renaming = await keys.rename(idOf(params), body.name, now, adminOf(exchange))
      if (renaming.outcome !== 'renamed') throw refusalOf(renaming.outcome, exchange)
      return jsonReply(JSON.stringify(shownKey(renaming.key, now)))
    }),

    operationRoute(revokeKey, async ({ params }, exchange) => {
      const now = clock()
      const revocation = await keys.revoke(idOf(params), now, adminOf(exchange))
      if (revocation.outcome !== 'revoked') throw refusalOf(revocation.outcome, exchange)
      return jsonReply(JSON.stringify(shownKey(revocation.key, now)))
    }),

    operationRoute(rotateKey, async ({ params, body }, exchange) => {
      refuseIdempotencyKey(exchange.request)
      const old = await find(idOf(params))
      const { replacedKeyExpiresAt, expiresAt } = body
      const now = clock()
      const until =
        replacedKeyExpiresAt === undefined ? timeAfter(now, defaultGraceMs) : Date.parse(replacedKeyExpiresAt)
      if (until < now)
        throw new PetStoreError('invalid_body', 'replacedKeyExpiresAt must not be in the past.', {
          fields: ['replacedKeyExpiresAt'],
        })
      const end = expiresAt === undefined ? await inheritedExpiry(keys, old) : Date.parse(expiresAt)
      const { name, permission } = old
      const members = { name, permission, createdAt: now, ...(end !== undefined && { expiresAt: end }) }
      const { secret, key } = newApiKey(environment, members)
      const rotation = await keys.rotate(old.id, key, until, adminOf(exchange))
      if (rotation.outcome === 'replaced') throw alreadyReplaced(rotation.successorId)
      if (rotation.outcome !== 'rotated') throw refusalOf(rotation.outcome, exchange)
      return secretReply(exchange, {
        ...shownKey(key, now),
        key: secret,
        replaces: old.id,
        replacedKeyExpiresAt: rfc3339(rotation.replaced.expiresAt ?? until),
      })
    }),
  ]
}

/** No id has NUL, which PostgreSQL does not take. */
function idOf({ keyId }: { keyId: string }): string {
  if (keyId.includes('\0')) throw notFound()
  return keyId
}

export function adminOf({ findings: { key } }: Exchange): string {
  return (key as ApiKey).id
}

export function secretReply({ request: { base } }: Exchange, key: CreatedKey | RotatedKey): Reply {
  return jsonReply(JSON.stringify(key), { location: `${base}/keys/${key.id}` }, 201)
}

export function shownKey(key: ApiKey | NewApiKey, now: number): Key {
  const { id, name, permission, createdAt, expiresAt, revokedAt, lastUsedAt, replacedBy } = key as ApiKey
  return {
    id,
    name,
    permission,
    state: keyState(key, now),
    createdAt: rfc3339(createdAt),
    ...(expiresAt !== undefined && { expiresAt: rfc3339(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: rfc3339(revokedAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: rfc3339(lastUsedAt) }),
    ...(replacedBy !== undefined && { replacedBy }),
  }
}

function rfc3339(time: number): string {
  return new Date(time).toISOString()
}

function notFound(): PetStoreError {
  return new PetStoreError('not_found', 'No key has this id.')
}

function alreadyReplaced(successorId: string): PetStoreError {
  return new PetStoreError(
    'conflict',
    `This key has a working successor, ${successorId}. If its secret was lost, revoke ${successorId} and rotate again, ` +
      'or make another key and revoke both.',
  )
}

type Refusal = Exclude<KeyRotation['outcome'], 'rotated' | 'replaced'>

function refusalOf(outcome: Refusal, exchange: Exchange): PetStoreError {
  switch (outcome) {
    case 'unauthorized':
      challenge(exchange)
      return unauthorized()
    case 'expired':
      return new PetStoreError('invalid_body', 'expiresAt must be a time in the future.', { fields: ['expiresAt'] })
    case 'missing':
      return notFound()
    case 'ended':
      return new PetStoreError('conflict', 'This key is revoked or has expired: make a new one instead.')
    case 'last':
      return new PetStoreError(
        'conflict',
        'No other admin key works as long as this one: make one first, or use the command line.',
      )
  }
}
