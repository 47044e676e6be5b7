import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, Permission } from '../../../src/contract/operation.ts'
import { versionedCache } from '../../../src/http/cache/versioned-cache.ts'
import type { Exchange, Route } from '../../../src/http/exchange.ts'
import { authenticate, type AuthenticationOptions, authorize } from '../../../src/http/gates/authenticate.ts'
import { PetStoreError } from '../../../src/inventory/errors.ts'
import { keyHash, newKeySecret } from '../../../src/inventory/key-secret.ts'
import type { ApiKey, Keys } from '../../../src/inventory/keys.ts'
import type { StoredInvitation } from '../../../src/inventory/stored-invitation.ts'
import { makeExchange } from '../../support/exchange.ts'

const keyOf = (id: string, change: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name: id,
  permission: 'read',
  createdAt: 0,
  ...change,
})
const secrets = Object.fromEntries(
  ['recalled', 'stored', 'expired', 'own', 'unknown'].map((name) => [name, newKeySecret('production')]),
) as Record<'recalled' | 'stored' | 'expired' | 'own' | 'unknown', string>
const recalled = keyOf('recalled')
const found = new Map([
  [keyHash(secrets.stored), keyOf('stored')],
  [keyHash(secrets.expired), keyOf('expired', { expiresAt: 1_000 })],
])
const own = keyOf('own')
const invitation = { name: 'Ada' } as StoredInvitation

interface Change extends Partial<AuthenticationOptions> {
  made?: Exchange
  requiresKey?: boolean
}

/** Sends a request through the gate, and says what came of it. */
async function pass(headers: string[], change: Change = {}) {
  const used: [string, number][] = []
  const asked: (string | undefined)[] = []
  const keys: Pick<Keys, 'recall' | 'find'> = {
    recall: (hash) => (hash === keyHash(secrets.recalled) ? recalled : undefined),
    find: async (hash) => found.get(hash),
  }
  const { made = makeExchange({ rawHeaders: headers }), requiresKey = true, ...options } = change
  made.findings.requiresKey = requiresKey
  const gate = authenticate({
    keys: keys as Keys,
    cache: versionedCache(() => 1),
    clock: () => 1_000,
    environment: 'production',
    ownKey: { hash: keyHash(secrets.own), key: own },
    keyUsed: ({ id }, at) => used.push([id, at]),
    async findInvitation(_request, hash) {
      asked.push(hash)
      return hash === keyHash(secrets.stored) ? invitation : undefined
    },
    ...options,
  })
  let refusal: unknown
  try {
    await gate(made)
  } catch (error) {
    assert.ok(error instanceof PetStoreError, String(error))
    refusal = error.code
  }
  return { refusal, used, asked, key: made.findings.key?.id, exchange: made, headers: made.response.headers }
}

const bearer = (secret: string) => ['Authorization', `Bearer ${secret}`]

for (const [name, headers, key, uses] of [
  ['one that the storage remembers', bearer(secrets.recalled), 'recalled', [['recalled', 1_000]]],
  ['one that the storage looks for', bearer(secrets.stored), 'stored', [['stored', 1_000]]],
  ['that of the settings, whose use is not stored', bearer(secrets.own), 'own', []],
] as const) {
  test(`a valid key passes, and its use is told: ${name}`, async () => {
    const passed = await pass(headers)

    assert.deepEqual([passed.refusal, passed.key, passed.used], [undefined, key, uses])
    assert.deepEqual([passed.headers, passed.asked], [{}, []])
  })
}

test('without a key in the settings the others pass, and a request without a key does not', async () => {
  assert.equal((await pass(bearer(secrets.stored), { ownKey: undefined })).key, 'stored')
  assert.equal((await pass([], { ownKey: undefined })).refusal, 'unauthorized')
})

for (const [name, headers, isSent] of [
  ['none', [], false],
  ['an unknown key', bearer(secrets.unknown), true],
  ['one that expires now', bearer(secrets.expired), true],
  ['no key at all', ['Authorization', 'Basic x'], true],
  ['a good key twice', [...bearer(secrets.stored), ...bearer(secrets.stored)], true],
] as const) {
  test(`a request is refused without a valid key, and its address is counted: ${name}`, async () => {
    const plain = await pass([...headers])
    const counted = await pass([...headers], { refuse: () => undefined })
    const limited = await pass([...headers], {
      refuse: () => new PetStoreError('rate_limited', 'Too many.', { retryAfterSeconds: 1 }),
    })

    const challenge = `Bearer realm="petstore"${isSent ? ', error="invalid_token"' : ''}`
    for (const { refusal, headers: sent, used, key } of [plain, counted])
      assert.deepEqual([refusal, sent['www-authenticate'], used, key], ['unauthorized', challenge, [], undefined])
    assert.deepEqual([limited.refusal, limited.headers], ['rate_limited', {}])
  })
}

test('neither a path that needs no key nor a preflight is asked for one', async () => {
  const preflight = ['Origin', 'https://shop.example', 'Access-Control-Request-Method', 'GET']
  assert.equal(
    (await pass([], { made: makeExchange({ method: 'OPTIONS', rawHeaders: preflight }) })).refusal,
    undefined,
  )
  assert.equal((await pass([], { made: makeExchange({ rawHeaders: preflight }) })).refusal, 'unauthorized')
  assert.equal((await pass([], { requiresKey: false })).refusal, undefined)
})

test('an operation for invitations takes the token of one, and no key', async () => {
  const made = (headers: string[]) => {
    const exchange = makeExchange({ rawHeaders: headers })
    exchange.findings.route = routeOf({ credential: 'invitation' })
    return exchange
  }

  const taken = await pass([], { made: made(bearer(secrets.stored)) })
  assert.deepEqual([taken.refusal, taken.exchange.findings.invitation, taken.key], [undefined, invitation, undefined])
  assert.deepEqual(taken.asked, [keyHash(secrets.stored)])
  const key = await pass([], { made: made(bearer(secrets.recalled)) })
  assert.deepEqual([key.refusal, key.exchange.findings.invitation], ['unauthorized', undefined])
  assert.deepEqual((await pass([], { made: made([]) })).asked, [undefined])
  for (const operation of [{}, undefined]) {
    const other = makeExchange({ rawHeaders: bearer(secrets.stored) })
    other.findings.route = routeOf(operation)
    assert.equal((await pass([], { made: other })).key, 'stored')
  }
})

function routeOf(operation: Partial<Operation> | undefined): Route {
  return { operation } as Partial<Route> as Route
}

for (const [held, needed, message] of [
  ['read', 'read', undefined],
  ['read', 'write', 'This API key may read but not write.'],
  ['read', 'admin', 'Only an admin key may do this.'],
  ['write', 'write', undefined],
  ['write', 'admin', 'Only an admin key may do this.'],
  ['admin', 'admin', undefined],
] as const) {
  test(`a ${held} key ${message === undefined ? 'may' : 'may not'} do what needs ${needed}`, () => {
    const exchange = makeExchange({})
    exchange.findings.key = keyOf('a', { permission: held })
    exchange.findings.route = routeOf({ permission: needed })

    if (message === undefined) authorize(exchange)
    else assert.throws(() => authorize(exchange), { code: 'forbidden', message })
  })
}

test('any key may read what is no operation, and what needs no key has no permission', () => {
  for (const [permission, route] of [
    ['read', routeOf(undefined)],
    ['read', undefined],
    [undefined, routeOf({ permission: 'admin' })],
  ] as [Permission | undefined, Route | undefined][]) {
    const exchange = makeExchange({})
    if (permission !== undefined) exchange.findings.key = keyOf('a', { permission })
    exchange.findings.route = route
    authorize(exchange)
  }
})
