import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { unavailable } from '../../src/inventory/errors.ts'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { ApiKey } from '../../src/inventory/keys.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { postgres } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { comparable, countRouted, throughGates } from '../support/gates.ts'

// The engine keeps a key for less than a second, and then a request passes the gates. A key of the settings is always
// known, so that these tests do not depend on the time.
const secret = newKeySecret('production')
const key: ApiKey = { id: 'settings', name: 'settings', permission: 'admin', createdAt: 0 }
const ownKey = { hash: keyHash(secret), key }
const authorization = `Bearer ${secret}`
const gated = { authorization, ...throughGates }

function start(t: TestContext): Promise<TestApp> {
  return startApp(t, { engine: postgres, ownKey })
}

test('postgres: a read in front of the gates gets the response of the gates', async (t) => {
  const app = await start(t)
  await app.create({ name: 'Rex', categoryId: -7, status: 'sold' })
  await app.create({ name: 'ポチ 🐕', categoryId: -7 })
  const routed = countRouted(t)

  for (const path of [
    '/v1/pets',
    '/v1/pets?limit=1',
    '/v1/pets?limit=1&sort=-id',
    '/v1/pets?status=sold',
    '/v1/pets?categoryId=-7&limit=1',
    '/v1/pets?id=2',
    '/v1/pets?name=rex',
    '/v1/pets?sort=name',
    '/v1/pets/2',
    '/v1/store/inventory',
  ]) {
    const before = routed()
    const direct = await app.send(path, { headers: { authorization } })
    assert.equal(routed(), before, path)
    assert.deepEqual(comparable(direct), comparable(await app.send(path, { headers: gated })), path)
    assert.equal(routed(), before + 1, path)
  }
})

test('postgres: a create in front of the gates gets the response of the gates', async (t) => {
  const [app, other] = [await start(t), await start(t)]
  const routed = countRouted(t)
  const pet = { name: 'ポチ 🐕 "x"', categoryId: -7, status: 'sold', id: 5 }

  const direct = await app.create(pet, { authorization })
  assert.equal(routed(), 0)
  const usual = await other.create(pet, gated)

  const { location } = comparable(direct).headers
  assert.equal(location, `${app.origin}/v1/pets/1`)
  const expected = comparable(usual)
  assert.deepEqual(comparable(direct), { ...expected, headers: { ...expected.headers, location } })
})

for (const path of ['/v1/pets', '/v1/pets/7']) {
  test(`postgres: a read that is unavailable is not tried again behind the gates: ${path}`, async (t) => {
    const app = await start(t)
    let reads = 0
    const fail = () => {
      reads++
      return Promise.reject(unavailable('The animals cannot be read right now; try again.'))
    }
    Object.assign(app.storage.pets, { list: fail, find: fail })

    const direct = await app.send(path, { headers: { authorization } })
    assertError(direct, 'unavailable')
    assert.equal(reads, 1)
    assert.equal(app.failures.length, 1)

    assert.deepEqual(comparable(direct), comparable(await app.send(path, { headers: gated })))
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
