import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runSql } from '../support/postgres-databases.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { type Respond, startReceiver, verify } from '../support/webhook-receiver.ts'
import { repeatsIn } from './repeats.ts'
import { type Instance, startInstance } from './shop.ts'

// A lease of deliveries on PostgreSQL lasts 10 seconds. The instance that delivers is stopped with SIGSTOP until the
// other one has taken over, and woken.

const patienceMs = 180_000
const rounds = 3

async function startTwo(t: TestContext, respond?: Respond) {
  const database = await startPostgres()
  t.after(() => database.stop())
  const receiver = await startReceiver(t, respond)
  const first = await startInstance(t, database.url)
  const { secret } = await first.ask<{ secret: string }>('POST', '/webhooks', { url: `${receiver.url}/hook` })
  await first.addPet('Rex')
  await until(() => receiver.received.length === 1, patienceMs)
  const second = await startInstance(t, database.url)
  const stored = async () =>
    Number((await runSql(database.url, 'SELECT event_id FROM delivery_positions'))[0]?.[0] ?? 0)
  await until(async () => (await stored()) === 1, patienceMs)
  return {
    /** The first one delivers. */
    instances: [first, second] as [Instance, Instance],
    received: receiver.received,
    ids: () => receiver.ids().map(Number),
    stored,
    async assertComplete() {
      const last = await first.latest()
      await until(async () => (await stored()) === last, patienceMs)
      assert.equal(new Set(receiver.ids()).size, last)
      for (const each of receiver.received) verify(each, secret)
    },
  }
}

function signal({ service }: Instance, name: 'SIGSTOP' | 'SIGCONT'): void {
  service.child.kill(name)
}

test('of an instance that slept longer than its lease the event is repeated that it was sending, and no other', async (t) => {
  let held = 0
  const { instances, received, ids, assertComplete } = await startTwo(t, ({ id }) =>
    id === '2' && ++held === 1 ? undefined : 204,
  )
  const [sleeper, other] = instances
  await other.addPet('Tom')
  await until(() => received.length === 2, patienceMs)

  signal(sleeper, 'SIGSTOP')
  for (let count = 0; count < 20; count++) await other.addPet(`pet ${count}`)
  await until(() => ids().includes(22), patienceMs)
  signal(sleeper, 'SIGCONT')
  for (let count = 0; count < 20; count++) await sleeper.addPet(`pet ${count}`)
  await assertComplete()

  assert.deepEqual(repeatsIn(ids()), [{ id: 2, index: 2 }])
})

test('under load the next instance repeats what came after the stored position, and a woken one at most one event', async (t) => {
  const { instances, received, ids, stored, assertComplete } = await startTwo(t)
  for (let round = 0; round < rounds; round++) {
    const [sleeper, other] = instances
    const creates = other.startCreates()
    const begun = received.length
    await until(() => received.length > begun + 50, patienceMs)

    signal(sleeper, 'SIGSTOP')
    const position = await stored()
    const stopped = received.length
    const before = await other.latest()
    await until(() => ids().includes(before + 50), patienceMs)
    const woken = received.length
    signal(sleeper, 'SIGCONT')
    await until(() => ids().includes(before + 200), patienceMs)
    await creates.stop()
    await assertComplete()

    const repeats = repeatsIn(ids()).filter(({ index }) => index >= stopped)
    const byNext = repeats.filter(({ index }) => index < woken)
    const byWoken = repeats.filter(({ index }) => index >= woken)
    assert.deepEqual(
      byNext.filter(({ id }) => id <= position),
      [],
    )
    assert.deepEqual(byWoken.slice(1), [])
    console.log(`Repeated: ${byNext.length} by the next instance, ${byWoken.length} by the one that slept.`)
    instances.reverse()
  }
})
