import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectMembers, expectObject, expectRefusal, sendJson } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectArray, expectPet, expectStatus, fail, Skipped } from '../../shop/expect.ts'
import { type Json, member } from '../../shop/json.ts'

const createSentence = 'createKey: makes an API key. Its secret is in this response only.'
const permissionSentence = 'What a key may do: `read`, or also `write`, or also manage keys (`admin`).'
/** A revoked key is refused within a second. */
const revocationMs = 1500

interface NewKey {
  id: string
  secret: string
  authorization: string
  made: Exchange
}

export async function newKey({ shop, stock }: Subject, permission: string): Promise<NewKey> {
  const body = `{"name":"${stock.newName()}","permission":"${permission}"}`
  const made = await sendJson(shop, 'POST', '/keys', body)
  if (made.response?.status === 404) throw new Skipped('POST /keys is not served')
  return readKey(made)
}

function readKey(made: Exchange): NewKey {
  const key = expectObject(made, 201)
  const [id, secret] = [member(key, 'id'), member(key, 'key')]
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) return fail(made, 'an id')
  if (typeof secret !== 'string' || !/^[\x21-\x7e]+$/.test(secret)) return fail(made, 'the secret as the member key')
  return { id, secret, authorization: `Bearer ${secret}`, made }
}

async function listed({ shop }: Subject, id: string): Promise<{ keys: Exchange; key: Json | undefined }> {
  const keys = await shop.send({ method: 'GET', path: '/keys' })
  return { keys, key: expectArray(keys).find((one) => member(one, 'id') === id) }
}

function ask({ shop }: Subject, authorization: string): Promise<Exchange> {
  return shop.send({ method: 'GET', path: '/pets?limit=1', authorization })
}

export const keyChecks: readonly Check[] = [
  writes('F-keys-1', {
    name: 'a new key works, is listed, and its secret is nowhere else',
    sentence: createSentence,
    async run(subject) {
      const { id, secret, authorization, made } = await newKey(subject, 'write')
      expectMembers(made, expectObject(made, 201), { permission: 'write', state: 'active' })
      expectStatus(await ask(subject, authorization), 200)
      const { keys, key } = await listed(subject, id)
      expectMembers(keys, key, { permission: 'write', state: 'active' })
      if (keys.response?.body.includes(secret)) fail(keys, 'no secret')
    },
  }),
  writes('F-keys-2', {
    name: 'a read key may read and may not write: 403',
    sentence: permissionSentence,
    async run(subject) {
      const { authorization } = await newKey(subject, 'read')
      expectStatus(await ask(subject, authorization), 200)
      const body = await subject.stock.bodyOf()
      const refused = await subject.shop.send({ method: 'POST', path: '/pets', body, authorization })
      expectRefusal(refused, 403, 'forbidden')
    },
  }),
  writes('F-keys-3', {
    name: 'a write key may write and may not manage keys: 403',
    sentence: permissionSentence,
    async run(subject) {
      const { authorization } = await newKey(subject, 'write')
      const body = await subject.stock.bodyOf()
      expectPet(await subject.shop.send({ method: 'POST', path: '/pets', body, authorization }), 201)
      expectRefusal(await subject.shop.send({ method: 'GET', path: '/keys', authorization }), 403, 'forbidden')
    },
  }),
  writes('F-keys-4', {
    name: 'a revoked key is 401 within a second',
    sentence: 'revokeKey: ends a key for good: within a second it is refused everywhere.',
    async run(subject) {
      const { id, authorization } = await newKey(subject, 'write')
      const revoked = await subject.shop.send({ method: 'POST', path: `/keys/${id}/revoke` })
      expectMembers(revoked, expectObject(revoked, 200), { state: 'revoked' })
      const refused = await subject.shop.settled(
        () => ask(subject, authorization),
        ({ response }) => response?.status === 401,
        revocationMs,
      )
      expectRefusal(refused, 401, 'unauthorized')
    },
  }),
  writes('F-keys-5', {
    name: 'a replaced key gets a successor of the same permission, and works on for a while',
    sentence: 'rotateKey: makes a new key with the name and the permission of this one, which works for 24 hours more.',
    async run(subject) {
      const old = await newKey(subject, 'read')
      const rotated = await sendJson(subject.shop, 'POST', `/keys/${old.id}/rotate`, '{}')
      const next = readKey(rotated)
      expectMembers(rotated, expectObject(rotated, 201), { permission: 'read', replaces: old.id })
      if (next.secret === old.secret) fail(rotated, 'another secret')
      for (const authorization of [old.authorization, next.authorization])
        expectStatus(await ask(subject, authorization), 200)
    },
  }),
  writes('F-keys-6', {
    name: 'an Idempotency-Key is refused: 400, and no key is made',
    sentence: 'createKey: the response cannot be repeated, and an `Idempotency-Key` is refused.',
    async run(subject) {
      await newKey(subject, 'read')
      const name = subject.stock.newName()
      const headers = { 'Idempotency-Key': name }
      const refused = await sendJson(subject.shop, 'POST', '/keys', `{"name":"${name}"}`, headers)
      expectRefusal(refused, 400, 'invalid_parameter')
    },
  }),
  writes('F-keys-7', {
    name: 'an Idempotency-Key belongs to its API key',
    sentence: 'Idempotency-Key: scoped to the API key.',
    async run(subject) {
      const { authorization } = await newKey(subject, 'write')
      const body = await subject.stock.bodyOf()
      const request = {
        method: 'POST' as const,
        path: '/pets',
        body,
        headers: { 'Idempotency-Key': `${subject.shop.mark}-shared` },
      }
      const { id } = expectPet(await subject.shop.send(request), 201)
      const other = await subject.shop.send({ ...request, authorization })
      if (expectPet(other, 201).id === id) fail(other, 'an animal of its own')
    },
  }),
  writes('F-keys-8', {
    name: 'a key is returned by its id as it is now, without its secret; an unknown one is 404',
    sentence: 'getKey: returns one API key without its secret.',
    async run(subject) {
      const { id, secret } = await newKey(subject, 'read')
      const get = (path: string) => subject.shop.send({ method: 'GET', path })
      const key = await get(`/keys/${id}`)
      expectMembers(key, expectObject(key, 200), { id, permission: 'read', state: 'active' })
      if (key.response?.body.includes(secret)) fail(key, 'no secret')
      expectStatus(await subject.shop.send({ method: 'POST', path: `/keys/${id}/revoke` }), 200)
      const revoked = await get(`/keys/${id}`)
      expectMembers(revoked, expectObject(revoked, 200), { state: 'revoked' })
      expectRefusal(await get(`/keys/${subject.shop.mark}`), 404, 'not_found')
    },
  }),
  writes('F-keys-9', {
    name: 'a key gets another name, and works on',
    sentence: 'updateKey: renames an API key.',
    async run(subject) {
      const { id, authorization } = await newKey(subject, 'read')
      const name = subject.stock.newName()
      const renamed = await sendJson(subject.shop, 'PATCH', `/keys/${id}`, `{"name":"${name}"}`)
      if ([404, 405].includes(renamed.response?.status ?? 0)) throw new Skipped('PATCH /keys/{keyId} is not served')
      expectMembers(renamed, expectObject(renamed, 200), { id, name })
      const { keys, key } = await listed(subject, id)
      expectMembers(keys, key, { name, permission: 'read', state: 'active' })
      expectStatus(await ask(subject, authorization), 200)
    },
  }),
]
