import { CreatedKey, Key, KeyChange, KeyReplacement, Keys, NewKey, RotatedKey } from '../key.ts'
import { bodyErrors, type Operation } from '../operation.ts'
import { Type } from '../schema.ts'

const keyPath = Type.Object({
  keyId: Type.String({ description: 'The identifier of the key.', examples: ['key_krn63qiYIVuH'] }),
})

const forbidden = 'Only an admin key may manage keys.'
const missing = 'No key has this id.'
const lockOut = 'No other admin key works as long as this one, so later nobody could manage keys.'

const shared = { permission: 'admin', stability: 'experimental' } as const

export const listKeys = {
  ...shared,
  id: 'listKeys',
  method: 'GET',
  path: '/keys',
  summary: 'List keys',
  description:
    'Returns all API keys, also expired and revoked ones, the oldest first, without their secrets. A key that the ' +
    'operator set with `PETSTORE_API_KEY` is not listed.',
  success: { status: 200, description: 'All keys.', body: Keys, headers: ['ETag'] },
  errors: [],
  errorMeanings: { forbidden },
} as const satisfies Operation

export const getKey = {
  ...shared,
  id: 'getKey',
  method: 'GET',
  path: '/keys/{keyId}',
  summary: 'Get a key',
  description: 'Returns one API key without its secret.',
  parameters: { path: keyPath },
  success: { status: 200, description: 'The requested key.', body: Key, headers: ['ETag'] },
  errors: ['not_found'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

export const createKey = {
  ...shared,
  id: 'createKey',
  method: 'POST',
  path: '/keys',
  summary: 'Make a key',
  description:
    'Makes an API key of this environment. Its secret is in this response only; the service keeps a hash of it. So the ' +
    'response cannot be repeated, and an `Idempotency-Key` is refused. If the response was lost, revoke the key and make ' +
    'another.',
  body: NewKey,
  success: {
    status: 201,
    description: 'Key made; the body includes its secret.',
    body: CreatedKey,
    headers: ['Location'],
    links: {
      getKey: { operationId: 'getKey', description: 'Reads the new key.', parameters: { keyId: '$response.body#/id' } },
    },
  },
  errors: [...bodyErrors],
  errorMeanings: { forbidden },
} as const satisfies Operation

export const updateKey = {
  ...shared,
  id: 'updateKey',
  method: 'PATCH',
  path: '/keys/{keyId}',
  summary: 'Rename a key',
  description:
    'Gives a key another name, also an expired or revoked one. Events keep the name that the key had when they happened. A ' +
    'key that the operator set with `PETSTORE_API_KEY` cannot be renamed.',
  parameters: { path: keyPath },
  body: KeyChange,
  isMergePatch: true,
  success: { status: 200, description: 'The key as it is now.', body: Key, headers: [] },
  errors: ['not_found', ...bodyErrors],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

export const revokeKey = {
  ...shared,
  id: 'revokeKey',
  method: 'POST',
  path: '/keys/{keyId}/revoke',
  summary: 'Revoke a key',
  description:
    'Ends a key for good: within a second it is refused everywhere, and its event streams end. It may be the key of this ' +
    'request. A key that was revoked before stays as it is.',
  parameters: { path: keyPath },
  success: { status: 200, description: 'The key is revoked.', body: Key, headers: [] },
  errors: ['not_found', 'conflict'],
  errorMeanings: { forbidden, not_found: missing, conflict: lockOut },
} as const satisfies Operation

export const rotateKey = {
  ...shared,
  id: 'rotateKey',
  method: 'POST',
  path: '/keys/{keyId}/rotate',
  summary: 'Replace a key',
  description:
    'Makes a new key with the name and the permission of this one, which works for 24 hours more unless the body says ' +
    'otherwise. The secret is in this response only, and an `Idempotency-Key` is refused, as with `POST /keys`. A key has ' +
    'one working successor, which `replacedBy` of `GET /keys` names: if the response was lost, revoke the successor and ' +
    'rotate again, or make another key and revoke both.',
  parameters: { path: keyPath },
  body: KeyReplacement,
  success: {
    status: 201,
    description: 'New key made; the body includes its secret.',
    body: RotatedKey,
    headers: ['Location'],
  },
  errors: ['not_found', ...bodyErrors, 'conflict'],
  errorMeanings: {
    forbidden,
    not_found: missing,
    conflict: `The key is revoked or has expired, or its successor works. Or: ${lockOut}`,
  },
} as const satisfies Operation
