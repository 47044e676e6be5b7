import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { ApiKey } from '../../src/inventory/keys.ts'
import { versionedCache } from '../../src/http/cache/versioned-cache.ts'
import { authenticate } from '../../src/http/gates/authenticate.ts'
import { startApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { makeExchange } from '../support/exchange.ts'

/** A service, and how often its storage is asked for keys: for what it knows without waiting, and for the rest. */
async function appWith(t: TestContext, { canRecall }: { canRecall: boolean }) {
  const storage = await sqliteInMemory.open(t)
  const asked = { recall: 0, find: 0 }
  const secret = newKeySecret('production')
  const known: ApiKey = { id: 'key_a', name: 'a', permission: 'read', createdAt: 0 }
  const answer = (hash: string) => (hash === keyHash(secret) ? known : undefined)
  const keys = {
    ...storage.keys,
    recall(hash: string) {
      asked.recall++
      return canRecall ? answer(hash) : undefined
    },
    async find(hash: string) {
      asked.find++
      return answer(hash)
    },
  }
  const app = await startApp(t, { storage: { ...storage, keys } })
  const statusOf = async (key: string) =>
    (await app.send('/v1/pets', { headers: { authorization: `Bearer ${key}` } })).status
  return { asked, secret, statusOf }
}

test('a key that the storage knows without waiting is asked for once, and never waited for', async (t) => {
  const { asked, secret, statusOf } = await appWith(t, { canRecall: true })

  for (let count = 0; count < 3; count++) assert.equal(await statusOf(secret), 200)

  assert.deepEqual(asked, { recall: 1, find: 0 })
})

test('a key that the storage has to look for is looked for once', async (t) => {
  const { asked, secret, statusOf } = await appWith(t, { canRecall: false })

  for (let count = 0; count < 3; count++) assert.equal(await statusOf(secret), 200)

  assert.deepEqual(asked, { recall: 1, find: 1 })
})

test('a key that nobody has is looked for each time: it may be made at any moment', async (t) => {
  const { asked, statusOf } = await appWith(t, { canRecall: false })
  const unknown = newKeySecret('production')

  for (let count = 0; count < 2; count++) assert.equal(await statusOf(unknown), 401)

  assert.deepEqual(asked, { recall: 2, find: 2 })
})

test('10,000 keys are remembered, and all are forgotten when there is one more', async (t) => {
  const { keys } = await sqliteInMemory.open(t)
  const asked: string[] = []
  const gate = authenticate({
    keys: {
      ...keys,
      recall(hash) {
        asked.push(hash)
        return { id: hash, name: 'a', permission: 'read', createdAt: 0 }
      },
    },
    cache: versionedCache(() => 1),
    clock: () => 0,
    environment: 'production',
    keyUsed: () => undefined,
    findInvitation: async () => undefined,
  })
  const use = (secret: string) => {
    const exchange = makeExchange({ rawHeaders: ['Authorization', `Bearer ${secret}`] })
    exchange.findings.requiresKey = true
    void gate(exchange)
    assert.equal(exchange.findings.key?.id, keyHash(secret))
  }
  const first = newKeySecret('production')
  use(first)
  for (let count = 1; count < 10_000; count++) use(newKeySecret('production'))
  use(first)
  assert.equal(asked.length, 10_000)

  use(newKeySecret('production'))
  use(first)
  assert.deepEqual([asked.length, asked.at(-1)], [10_002, keyHash(first)])
})

test('the key of the settings has no last use, and a stored key has', async (t) => {
  const secret = newKeySecret('production')
  const used: string[] = []
  const own: ApiKey = { id: 'own_key', name: 'own', permission: 'read', createdAt: 0 }
  const app = await startApp(t, {
    ownKey: { hash: keyHash(secret), key: own },
    keyUsed: ({ id }) => used.push(id),
  })
  const stored = await app.makeKey()

  for (const key of [secret, stored.secret]) {
    assert.equal((await app.send('/v1/pets', { headers: { authorization: `Bearer ${key}` } })).status, 200)
  }

  assert.deepEqual(used, [stored.id])
})

test('a key is told what it lacks: the permission to write, or that of an admin', async (t) => {
  const app = await startApp(t)
  const { secret } = await app.makeKey({ permission: 'read' })
  const headers = { authorization: `Bearer ${secret}` }

  const answers = [
    await app.sendJson('POST /v1/pets', { name: 'Rex', categoryId: 1 }, headers),
    await app.send('/v1/keys', { headers }),
  ]

  for (const answer of answers) assertError(answer, 'forbidden')
  assert.deepEqual(
    answers.map(({ body }) => (body as { message: string }).message),
    ['This API key may read but not write.', 'Only an admin key may do this.'],
  )
})
