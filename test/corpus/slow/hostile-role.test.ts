import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openStorage } from '../../../src/storage/open.ts'
import { skip, startDebianPostgres } from '../../support/debian-postgres.ts'
import { hostileBehindPooler, hostileDatabase, hostileSettings } from '../../support/hostile-role.ts'
import { newPostgresDatabase } from '../../support/postgres-databases.ts'
import { run, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'
import { assertAsRecorded } from '../compare.ts'
import { variations } from '../variations.ts'

const servers = [
  {
    name: 'the server from npm',
    skip: false as const,
    poolers: [
      ['none', hostileSettings],
      ['transaction', hostileBehindPooler],
    ] as const,
    admin: () => newPostgresDatabase(),
  },
  {
    name: "Debian's server",
    skip,
    poolers: [['none', hostileSettings]] as const,
    admin: async (t: TestContext) => (await startDebianPostgres(t)).urlOf('postgres'),
  },
]
const onPostgres = variations.find(({ name }) => name === 'postgres')
const timeouts = { readTimeoutMs: 60_000, writeTimeoutMs: 60_000 }

for (const { name, skip, poolers, admin } of servers) {
  for (const [pooler, settings] of poolers) {
    test(`every request of the corpus gets the recorded response, whatever the role sets: ${name}, pooler=${pooler}`, {
      skip,
    }, async (t) => {
      assert.ok(onPostgres)
      const url = `${await hostileDatabase(t, await admin(t), settings)}?pooler=${pooler}`
      const engine = {
        name: 'postgres',
        hasVersion: false,
        url: async () => url,
        async open(_: TestContext, clock = Date.now) {
          const storage = await openStorage(url, { ...timeouts, clock })
          t.after(() => storage.close())
          return storage
        },
      }

      await assertAsRecorded(t, { ...onPostgres, engine })
    })
  }

  test(`events are delivered, whatever the role sets: ${name}`, { skip }, async (t) => {
    assert.ok(Object.keys(hostileSettings).length >= 40)
    const receiver = await startReceiver(t)
    const env = {
      PETSTORE_DATABASE_URL: await hostileDatabase(t, await admin(t)),
      PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true',
      PETSTORE_API_KEY: 'a-key-of-twenty-characters',
    }
    const { origin, stop } = await startService(t, { env })
    const headers = { authorization: `Bearer ${env.PETSTORE_API_KEY}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object) =>
      (await fetch(`${origin}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status

    assert.equal(await post('/webhooks', { url: `${receiver.url}/hook` }), 201)
    assert.equal(await post('/pets', { name: 'Rex', categoryId: 1 }), 201)
    assert.equal(await post('/webhooks/1/test', {}), 200)
    await until(() => receiver.received.some(({ type }) => type === 'petstore.pet.created'))

    const tries = await fetch(`${origin}/v1/webhooks/1/deliveries`, { headers })
    assert.equal(tries.status, 200)
    assert.equal(await stop(), 0)
    const checked = await run(t, ['check'], { env })
    assert.deepEqual([checked.code, checked.stderr], [0, ''])
  })
}
