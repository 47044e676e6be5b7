import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, sqlite, sqliteInMemory } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'
import { addPets, deliver, deliverOnTick, upTo, webhook } from '../support/dispatching.ts'

for (const engine of engines) {
  test(`${engine.name}: every event is delivered once, in order and signed, with the body of the feed`, async (t) => {
    const storage = await engine.open(t)
    const receiver = await startReceiver(t)
    const { id, secret } = await webhook(storage, `${receiver.url}/hook`)
    const { tries } = deliver(t, storage)

    await addPets(storage, 20)
    await storage.pets.remove(1n)
    await until(() => receiver.received.length >= 21)
    await until(async () => (await storage.deliveries.positions())[0]?.eventId === 21n)

    assert.deepEqual(receiver.ids(), upTo(21))
    for (const each of receiver.received) verify(each, secret)
    const [first] = receiver.received
    const { lineage } = await storage.events.latest()
    assert.equal(first?.headers['webhook-id'], `1-${lineage}`)
    assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), {
      specversion: '1.0',
      id: `1-${lineage}`,
      source: '/v1',
      type: 'petstore.pet.created',
      subject: 'pets/1',
      time: JSON.parse(receiver.received[0]?.body ?? '').time,
      datacontenttype: 'application/json',
      sequence: '0000000000000000001',
      data: { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
    })
    assert.equal(tries.length, 21)
    const { items } = await storage.deliveries.list(id, 100)
    assert.equal(items.length, 21)
    assert.deepEqual([items[0]?.eventId, items[0]?.attempt, items[0]?.status], [21n, 1, 204])
  })
}

test('a webhook gets only the types that it wants, and a new one starts now', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await addPets(storage, 2)
  await webhook(storage, `${receiver.url}/orders`, ['petstore.order.placed', 'petstore.order.cancelled'])
  await webhook(storage, `${receiver.url}/all`)
  deliver(t, storage)
  await addPets(storage, 1)
  await storage.orders.place({ petId: 1n })
  await storage.orders.update(1n, { status: 'cancelled' })
  await until(() => receiver.ids('/all').length === 5)
  await webhook(storage, `${receiver.url}/late`)
  await addPets(storage, 1)
  await until(() => receiver.ids('/late').length === 1 && receiver.ids('/orders').length === 2)

  assert.deepEqual(receiver.ids('/all').slice(0, 5), upTo(7, 3))
  assert.deepEqual(receiver.ids('/orders'), ['5', '7'])
  assert.deepEqual(receiver.ids('/late'), ['8'])
})

test('an event that could not be read is delivered soon, without another event', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url)
  const { list } = storage.events
  let isBroken = false
  storage.events.list = (...input) => {
    if (!isBroken) return list(...input)
    isBroken = false
    return Promise.reject(new Error('the database is away'))
  }
  const { stats, failures } = deliver(t, storage)
  await until(() => stats()?.healthy === 1)

  isBroken = true
  await addPets(storage, 1)
  await until(() => receiver.received.length === 1)

  assert.deepEqual(
    failures.map(({ message }) => message),
    ['the database is away'],
  )
})

test('while a secret is replaced, both sign', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  const { id, secret } = await webhook(storage, receiver.url)
  const rotated = await storage.webhooks.rotate(id)
  assert.ok(rotated.outcome === 'rotated')
  deliver(t, storage)
  await addPets(storage, 1)
  await until(() => receiver.received.length === 1)

  for (const each of receiver.received) {
    verify(each, secret)
    verify(each, rotated.secret)
  }
})

test('a webhook that is disabled while it is sent an event gets no other, and starts anew when it is enabled', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t, () => 204)
  const hanging = await startReceiver(t, () => undefined)
  const { id } = await webhook(storage, hanging.url)
  const { tries } = deliver(t, storage)
  await addPets(storage, 2)
  await until(() => hanging.received.length === 1)

  await storage.webhooks.update(id, { enabled: false })
  await addPets(storage, 2)
  await storage.webhooks.update(id, { enabled: true, url: receiver.url })
  hanging.server.closeAllConnections()
  await until(() => tries.length === 1)
  await addPets(storage, 2)
  await until(() => receiver.received.length === 2)

  assert.deepEqual(receiver.ids(), ['5', '6'])
})

test('a webhook that is removed while it is sent an event gets no other', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const hanging = await startReceiver(t, () => undefined)
  const { id } = await webhook(storage, hanging.url)
  const other = await startReceiver(t)
  await webhook(storage, other.url)
  const { tries, failures } = deliver(t, storage)
  await addPets(storage, 2)
  await until(() => hanging.received.length === 1)

  await storage.webhooks.remove(id)
  await addPets(storage, 1)
  await until(() => other.received.length === 3)
  hanging.server.closeAllConnections()
  await until(() => tries.length === 4)

  assert.deepEqual(hanging.ids(), ['1'])
  assert.deepEqual(failures, [])
})

test('an address that is not public gets nothing, also if it was accepted before', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url)
  const { tries } = deliver(t, storage, { addresses: { allowPrivate: false } })
  await addPets(storage, 1)
  await until(() => tries.length === 1)

  assert.match(tries[0]?.error ?? '', /must be a public address/)
  assert.deepEqual(receiver.received, [])
})

test('nothing is read or written for webhooks while nothing happens', async (t) => {
  const storage = await sqlite.open(t)
  const receiver = await startReceiver(t)
  for (let count = 0; count < 20; count++) await webhook(storage, receiver.url)
  const { stats, tick } = deliverOnTick(t, storage, { refreshMs: 0 })
  await tick()
  assert.equal(stats()?.healthy, 20)
  await addPets(storage, 1)
  await tick()
  await until(() => receiver.received.length === 20)
  await until(async () => (await storage.deliveries.positions()).length === 20)
  let calls = 0
  for (const port of [storage.events, storage.webhooks, storage.deliveries] as unknown as Record<string, unknown>[]) {
    for (const [name, call] of Object.entries(port)) {
      if (typeof call === 'function')
        port[name] = (...input: unknown[]) => {
          calls++
          return (call as (...all: unknown[]) => unknown)(...input)
        }
    }
  }

  for (let ticks = 0; ticks < 100; ticks++) await tick()

  assert.equal(calls, 0)
})

test('deliveries know since when they cannot read or store, until they can', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url)
  let broken: 'acquire' | 'record' | undefined = 'acquire'
  const refuse = (call: typeof broken) => {
    if (broken === call) throw new Error('The disk is full.')
  }
  const deliveries = {
    ...storage.deliveries,
    async acquire(...input: Parameters<typeof storage.deliveries.acquire>) {
      refuse('acquire')
      return storage.deliveries.acquire(...input)
    },
    async record(...input: Parameters<typeof storage.deliveries.record>) {
      refuse('record')
      return storage.deliveries.record(...input)
    },
  }
  const startedAt = Date.now()
  const dispatching = deliver(t, { ...storage, deliveries, version: () => Number.NaN }, { refreshMs: 50 })

  await until(() => dispatching.failingSince() !== undefined)
  const failingSince = dispatching.failingSince() ?? 0
  assert.ok(failingSince >= startedAt)
  // Most looks have nothing to do, and say nothing about the storage.
  const seen = new Set<number | undefined>()
  await until(() => seen.add(dispatching.failingSince()) && dispatching.failures.length >= 4)
  assert.deepEqual([...seen], [failingSince])
  broken = 'record'
  await until(() => dispatching.failingSince() === undefined)
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  await until(() => dispatching.failingSince() !== undefined)
  broken = undefined
  await until(() => dispatching.failingSince() === undefined)

  assert.equal(receiver.received.length, 1)
})
