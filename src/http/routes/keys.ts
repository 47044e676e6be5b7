import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import {
  type CreatedKey,
  defaultPermission,
  type Key,
  KeyReplacement,
  NewKey,
  type RotatedKey,
} from '../../contract/key.ts'
import { createKey, getKey, listKeys, revokeKey, rotateKey } from '../../contract/operations/keys.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import type { Clock } from '../../inventory/clock.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { newApiKey } from '../../inventory/key-secret.ts'
import { type ApiKey, type KeyRotation, type Keys, keyState, type NewApiKey } from '../../inventory/keys.ts'
import type { App } from '../fastify-types.ts'
import { baseAddress } from '../replies/base-address.ts'
import { sendResource } from '../replies/etag.ts'
import { sendJson } from '../replies/json-reply.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, sendPage } from '../replies/page.ts'
import { challenge, unauthorized } from '../request/credentials.ts'

export interface KeyRoutesOptions {
  keys: Keys
  environment: Environment
  clock: Clock
  offer: Offer
}

interface OneKey {
  Params: { keyId: string }
}

const defaultGraceMs = 24 * 60 * 60 * 1000

export function keyRoutes(app: App, { keys, environment, clock, offer }: KeyRoutesOptions): void {
  // All of them or none: they have one stability.
  if (!isOffered(listKeys, offer)) return

  app.get('/keys', { config: { operation: listKeys } }, async (request, reply) => {
    const all = await keys.list()
    const now = clock()
    sendPage(request, reply, encodedPage(await encodeBody(all, (key) => JSON.stringify(shownKey(key, now)))))
    return reply
  })

  app.get<OneKey>('/keys/:keyId', { config: { operation: getKey } }, async (request, reply) => {
    sendResource(request, reply, JSON.stringify(shownKey(await find(idOf(request)), clock())))
    return reply
  })

  app.post('/keys', { schema: { body: NewKey }, config: { operation: createKey } }, async (request, reply) => {
    refuseIdempotencyKey(request)
    const { name, permission = defaultPermission, expiresAt } = request.body
    const now = clock()
    const members = { name, permission, createdAt: now, ...(expiresAt && { expiresAt: Date.parse(expiresAt) }) }
    const { secret, key } = newApiKey(environment, members)
    const { outcome } = await keys.create(key, adminOf(request))
    if (outcome !== 'created') throw refusalOf(outcome, request, reply)
    return sendSecret(request, reply, { ...shownKey(key, now), key: secret })
  })

  app.post<OneKey>('/keys/:keyId/revoke', { config: { operation: revokeKey } }, async (request, reply) => {
    const now = clock()
    const revocation = await keys.revoke(idOf(request), now, adminOf(request))
    if (revocation.outcome !== 'revoked') throw refusalOf(revocation.outcome, request, reply)
    sendJson(reply.header('cache-control', 'no-store'), JSON.stringify(shownKey(revocation.key, now)))
    return reply
  })

  app.post<OneKey & { Body: KeyReplacement }>(
    '/keys/:keyId/rotate',
    { schema: { body: KeyReplacement }, config: { operation: rotateKey } },
    async (request, reply) => {
      refuseIdempotencyKey(request)
      const old = await find(idOf(request))
      const { replacedKeyExpiresAt, expiresAt } = request.body
      const now = clock()
      const until = replacedKeyExpiresAt === undefined ? now + defaultGraceMs : Date.parse(replacedKeyExpiresAt)
      if (until < now)
        throw new PetStoreError('invalid_body', 'replacedKeyExpiresAt must not be in the past.', {
          fields: ['replacedKeyExpiresAt'],
        })
      const end = expiresAt === undefined ? old.expiresAt : Date.parse(expiresAt)
      const { name, permission } = old
      const members = { name, permission, createdAt: now, ...(end !== undefined && { expiresAt: end }) }
      const { secret, key } = newApiKey(environment, members)
      const rotation = await keys.rotate(old.id, key, until, adminOf(request))
      if (rotation.outcome !== 'rotated') throw refusalOf(rotation.outcome, request, reply)
      return sendSecret(request, reply, {
        ...shownKey(key, now),
        key: secret,
        replaces: old.id,
        replacedKeyExpiresAt: rfc3339(rotation.replaced.expiresAt ?? until),
      })
    },
  )

  async function find(id: string): Promise<ApiKey> {
    const [key] = await keys.findByIds([id])
    if (key === undefined) throw notFound()
    return key
  }
}

/** No id has NUL, which PostgreSQL does not take. */
function idOf({ params: { keyId } }: FastifyRequest<OneKey>): string {
  if (keyId.includes('\0')) throw notFound()
  return keyId
}

function adminOf(request: FastifyRequest): string {
  return (request.apiKey as ApiKey).id
}

/** To repeat the response, the secret would have to be stored. */
function refuseIdempotencyKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] === undefined) return
  throw new PetStoreError(
    'invalid_parameter',
    'Idempotency-Key must not be sent here: the response has a secret, which is not stored and cannot be sent again.',
    // Not a parameter of these operations.
    { fields: [] },
  )
}

function sendSecret(request: FastifyRequest, reply: FastifyReply, key: CreatedKey | RotatedKey): FastifyReply {
  reply
    .code(201)
    .header('location', `${baseAddress(request)}/keys/${key.id}`)
    .header('cache-control', 'no-store')
  sendJson(reply, JSON.stringify(key))
  return reply
}

function shownKey(key: ApiKey | NewApiKey, now: number): Key {
  const { id, name, permission, createdAt, expiresAt, revokedAt, lastUsedAt } = key as ApiKey
  return {
    id,
    name,
    permission,
    state: keyState(key, now),
    createdAt: rfc3339(createdAt),
    ...(expiresAt !== undefined && { expiresAt: rfc3339(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: rfc3339(revokedAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: rfc3339(lastUsedAt) }),
  }
}

function rfc3339(time: number): string {
  return new Date(time).toISOString()
}

function notFound(): PetStoreError {
  return new PetStoreError('not_found', 'No key has this id.')
}

type Refusal = Exclude<KeyRotation['outcome'], 'rotated'>

function refusalOf(outcome: Refusal, request: FastifyRequest, reply: FastifyReply): PetStoreError {
  switch (outcome) {
    case 'unauthorized':
      challenge(request, reply)
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
