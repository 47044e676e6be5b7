import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { unavailable } from '../../src/inventory/errors.ts'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { ApiKey } from '../../src/inventory/keys.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { postgres } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

// A key of the settings needs no read of its own.
const secret = newKeySecret('production')
const key: ApiKey = { id: 'settings', name: 'settings', permission: 'admin', createdAt: 0 }
const ownKey = { hash: keyHash(secret), key }
const authorization = `Bearer ${secret}`

function start(t: TestContext): Promise<TestApp> {
  return startApp(t, { engine: postgres, ownKey })
}

for (const path of ['/v1/pets', '/v1/pets/7']) {
  test(`postgres: a read that is unavailable is tried once: ${path}`, async (t) => {
    const app = await start(t)
    let reads = 0
    const fail = () => {
      reads++
      return Promise.reject(unavailable('The animals cannot be read right now; try again.'))
    }
    Object.assign(app.storage.pets, { list: fail, find: fail })

    const answer = await app.send(path, { headers: { authorization } })

    assertError(answer, 'unavailable')
    assert.equal(reads, 1)
    assert.equal(app.failures.length, 1)
  })
}

test('postgres: a key that was just used is refused once it is revoked', async (t) => {
  const app = await start(t)
  const used = await app.makeKey()
  const headers = { authorization: `Bearer ${used.secret}` }
  for (let times = 0; times < 3; times++) assert.equal((await app.send('/v1/pets', { headers })).status, 200)

  await app.storage.keys.revoke(used.id, Date.now())

  assertError(await app.send('/v1/pets', { headers }), 'unauthorized')
  assertError(await app.create({ name: 'Rex', categoryId: 1 }, headers), 'unauthorized')
})
