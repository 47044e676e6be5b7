import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type DispatcherOptions, startDispatcher } from '../../src/webhooks/dispatcher.ts'
import { engines, postgres, sqlite, sqliteInMemory } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'

const second = 1_000
const hour = 60 * 60 * second

/** Delivers the events of a storage, with a clock that the test moves. It looks for events all the time. */
function deliver(t: TestContext, storage: Storage, options: Partial<DispatcherOptions> = {}) {
  const dispatching = deliverOnTick(t, storage, options)
  const timer = setInterval(() => void dispatching.tick(), 5)
  t.after(() => clearInterval(timer))
  return dispatching
}

function deliverOnTick(t: TestContext, storage: Storage, options: Partial<DispatcherOptions> = {}) {
  const clock = { now: Date.now() }
  const tries: NewDeliveryTry[] = []
  const disabled: string[] = []
  const failures: Error[] = []
  const dispatcher = startDispatcher({
    storage,
    source: '/v1',
    addresses: { allowPrivate: true },
    clock: () => clock.now,
    leaseMs: 60_000,
    refreshMs: 5,
    observer: {
      tried: (attempt) => tries.push(attempt),
      disabled: ({ id }, reason) => disabled.push(`${id} ${reason}`),
      failed: (error) => failures.push(error),
    },
    ...options,
  })
  t.after(() => dispatcher.stop())
  return {
    ...dispatcher,
    tries,
    disabled,
    failures,
    /** Moves the clock and tries what is due. */
    later(ms: number) {
      clock.now += ms
      dispatcher.retryDue()
    },
  }
}

/** The id and the secret of a new webhook. */
async function webhook({ webhooks }: Storage, url: string, types?: string[]) {
  const made = await webhooks.create({ url, ...(types && { types }) } as Parameters<typeof webhooks.create>[0])
  assert.ok(made.outcome === 'created')
  return { id: made.webhook.id, secret: made.secret }
}

async function addPets({ pets }: Storage, count: number): Promise<void> {
  for (let added = 0; added < count; added++) await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => String(first + index))

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
    const { time } = JSON.parse(first?.body ?? '') as { time: string }
    assert.equal(first?.headers['webhook-id'], `1-${Date.parse(time)}`)
    assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), {
      specversion: '1.0',
      id: '1',
      source: '/v1',
      type: 'petstore.pet.created',
      subject: 'pets/1',
      time: JSON.parse(receiver.received[0]?.body ?? '').time,
      datacontenttype: 'application/json',
      data: { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
    })
    assert.equal(tries.length, 21)
    const { items } = await storage.deliveries.list(id, 100)
    assert.equal(items.length, 21)
    assert.deepEqual([items[0]?.eventId, items[0]?.attempt, items[0]?.status], [21n, 1, 204])
  })

  test(`${engine.name}: the next process goes on where the last one ended`, async (t) => {
    const storage = await engine.open(t)
    const receiver = await startReceiver(t)
    await webhook(storage, receiver.url)
    const first = deliver(t, storage)
    await addPets(storage, 3)
    await until(() => receiver.received.length === 3)
    await first.stop()
    await addPets(storage, 3)

    deliver(t, storage)
    await until(() => receiver.received.length >= 6)

    assert.deepEqual(receiver.ids(), upTo(6))
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

for (const engine of engines) {
  test(`${engine.name}: an event that happened after a change of types or address finds the webhook changed`, async (t) => {
    const storage = await engine.open(t)
    const receiver = await startReceiver(t)
    const { id } = await webhook(storage, `${receiver.url}/old`, ['petstore.order.placed'])
    const { stats } = deliver(t, storage, { refreshMs: hour })
    await until(() => stats()?.healthy === 1)

    await storage.webhooks.update(id, { types: ['petstore.pet.created'] })
    await addPets(storage, 1)
    await until(() => receiver.received.length === 1)
    await storage.webhooks.update(id, { url: `${receiver.url}/new` })
    await addPets(storage, 1)
    await until(() => receiver.received.length === 2)

    assert.deepEqual(receiver.ids('/old'), ['1'])
    assert.deepEqual(receiver.ids('/new'), ['2'])
  })
}

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

test('a failing event holds back those behind it, and is tried after 5 s, 30 s, 5 min, 30 min, then hourly', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let status = 500
  const receiver = await startReceiver(t, () => status)
  await webhook(storage, receiver.url)
  const { tries, later, stats } = deliver(t, storage)
  await addPets(storage, 3)
  const minute = 60 * second

  const waits = [5 * second, 30 * second, 5 * minute, 30 * minute, hour, hour]
  for (const [index, wait] of waits.entries()) {
    await until(() => tries.length === index + 1)
    const { at, nextAttemptAt = 0, attempt, eventId } = tries[index] as NewDeliveryTry
    assert.deepEqual([attempt, eventId], [index + 1, 1n])
    const waited = (nextAttemptAt - at) / wait
    assert.ok(waited >= 1 && waited <= 1.2, `${wait} × ${waited}`)
    later(wait * 0.9)
    assert.equal(receiver.received.length, index + 1)
    assert.equal(stats()?.failing, 1)
    if (index === waits.length - 1) status = 204
    later(wait * 0.31)
  }
  await until(() => receiver.received.length === 9)

  assert.deepEqual(receiver.ids(), [...Array(7).fill('1'), '2', '3'])
  await until(() => stats()?.failing === 0)
})

for (const [name, status] of [
  ['a redirect', 307],
  ['404', 404],
  ['an informational status', 199],
] as const) {
  test(`${name} is a failure`, async (t) => {
    const storage = await sqliteInMemory.open(t)
    const receiver = await startReceiver(t, () => (status < 200 ? 600 : status))
    await webhook(storage, receiver.url)
    const { tries } = deliver(t, storage)
    await addPets(storage, 1)
    await until(() => tries.length === 1)

    assert.ok(tries[0]?.nextAttemptAt !== undefined)
  })
}

test('a webhook that fails for three days is disabled, and so is one that responds with 410, at once', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t, ({ path }) => (path === '/gone' ? 410 : 503))
  await webhook(storage, `${receiver.url}/gone`)
  await webhook(storage, `${receiver.url}/failing`)
  const { tries, disabled, later } = deliver(t, storage)
  await addPets(storage, 2)
  await until(() => disabled.length === 1)
  assert.deepEqual(disabled, ['1 gone'])
  assert.equal((await storage.webhooks.find(1n))?.disabledReason, 'gone')

  for (let hours = 0; hours < 70; hours += 2) {
    const before = tries.length
    later(2 * hour)
    await until(() => tries.length === before + 1)
  }
  assert.equal((await storage.webhooks.find(2n))?.enabled, true)
  later(2 * hour)
  await until(() => disabled.length === 2)

  assert.deepEqual(disabled, ['1 gone', '2 failed'])
  assert.equal((await storage.webhooks.find(2n))?.disabledReason, 'failed')
  assert.deepEqual(new Set(receiver.ids()), new Set(['1']))
  const announced = (id: bigint) =>
    tries.filter(({ webhookId }) => webhookId === id).map(({ nextAttemptAt }) => nextAttemptAt !== undefined)
  assert.deepEqual(announced(1n), [false])
  assert.equal(announced(2n).indexOf(false), announced(2n).length - 1)
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

test('a failing webhook that gets another address is tried there at once, from the same event on', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const broken = await startReceiver(t, () => 500)
  const receiver = await startReceiver(t)
  const { id } = await webhook(storage, broken.url)
  const { tries } = deliver(t, storage)
  await addPets(storage, 2)
  await until(() => tries.length === 1)

  await storage.webhooks.update(id, { url: receiver.url })
  await until(() => receiver.received.length === 2)

  assert.deepEqual(receiver.ids(), ['1', '2'])
  assert.deepEqual(broken.ids(), ['1'])
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

test('webhooks that hang do not hold back the others', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const hanging = await startReceiver(t, () => undefined)
  const receiver = await startReceiver(t)
  for (let count = 0; count < 100; count++) await webhook(storage, `${hanging.url}/${count}`)
  await webhook(storage, receiver.url)
  const { tries } = deliver(t, storage)

  await addPets(storage, 5)
  await until(() => receiver.received.length === 5)

  // No try of a webhook that hangs has ended: the others did not wait for that.
  assert.deepEqual(
    tries.filter(({ error }) => error !== undefined),
    [],
  )
  await until(() => hanging.received.length === 100)
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

test('failures of an event that is not wanted any more do not count for the next one', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t, () => 500)
  const { id } = await webhook(storage, receiver.url)
  const { tries, later, stats, disabled, tick } = deliver(t, storage, { refreshMs: 0 })
  await addPets(storage, 1)
  await until(() => stats()?.failing === 1)

  await storage.webhooks.update(id, { types: ['petstore.pet.deleted'] })
  await tick() // One that may have begun before the change.
  await tick()
  later(10 * second)
  await until(() => stats()?.failing === 0)
  later(96 * hour)
  const before = tries.length
  await storage.pets.remove(1n)
  await until(() => tries.length > before && stats()?.failing === 1)

  assert.equal(tries.at(-1)?.attempt, 1)
  assert.deepEqual(disabled, [])
})

test('a clock that is set back does not put off the next try', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let status = 500
  const receiver = await startReceiver(t, () => status)
  await webhook(storage, receiver.url)
  const { later, stats } = deliver(t, storage)
  await addPets(storage, 1)
  await until(() => stats()?.failing === 1)
  status = 204

  later(-1_000 * hour)

  await until(() => stats()?.failing === 0)
})

test('a position of a lost history holds back no event', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  const { id } = await webhook(storage, receiver.url)
  const lease = await storage.deliveries.acquire('another', 60_000)
  assert.ok(lease)
  const positions = [{ webhookId: id, eventId: 1_000n, attempts: 0 }]
  assert.ok(await storage.deliveries.record(lease, 60_000, { positions, tries: [] }))
  await storage.deliveries.release(lease)
  const { stats } = deliver(t, storage)
  await until(() => stats() !== undefined)

  await addPets(storage, 2)

  await until(() => receiver.received.length >= 2)
  assert.deepEqual(receiver.ids(), upTo(2))
})

test('a position is stored only if the database still has the history in which it was read', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url)
  const { record } = storage.deliveries
  const lineages = new Set<string | undefined>()
  storage.deliveries.record = (lease, leaseMs, given) => {
    lineages.add(given.lineage)
    return record(lease, leaseMs, given)
  }
  deliver(t, storage)

  await addPets(storage, 1)
  await until(async () => (await storage.deliveries.positions()).length === 1)

  const { lineage } = await storage.events.latest()
  assert.ok(lineage !== undefined)
  assert.deepEqual([...lineages], [lineage])
})

test('a process whose lease ends while it connects sends nothing until it has the lease again', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url.replace('127.0.0.1', 'receiver.example'))
  const { promise: connecting, resolve: connect } = Promise.withResolvers<void>()
  const { promise: extended, resolve: extend } = Promise.withResolvers<boolean>()
  let lookups = 0
  const resolve = async () => {
    lookups++
    await connecting
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const leaseMs = 1_000
  const { tries } = deliver(t, storage, { leaseMs, addresses: { allowPrivate: true, resolve } })
  await addPets(storage, 1)
  await until(() => lookups === 1)

  Object.assign(storage.deliveries, { renew: () => extended, record: () => extended })
  const blockedAt = performance.now()
  await until(() => performance.now() > blockedAt + leaseMs)
  let connections = 0
  receiver.server.on('connection', () => connections++)
  connect()
  await until(() => connections === 1)
  assert.deepEqual(receiver.received, [])
  extend(true)
  await until(() => tries.length === 1)

  assert.equal(lookups, 2)
  assert.deepEqual(receiver.ids(), ['1'])
  assert.deepEqual([tries[0]?.attempt, tries[0]?.status], [1, 204])
})

test('postgres: one of two instances delivers, and the other goes on when it stops', async (t) => {
  const url = await postgres.url(t)
  const [one, two] = [await openStorage(url), await openStorage(url)]
  t.after(() => Promise.all([one.close(), two.close()]))
  const receiver = await startReceiver(t)
  await webhook(one, receiver.url)
  const first = deliver(t, one)
  await until(() => first.stats() !== undefined)
  const other = deliver(t, two)
  await addPets(two, 5)
  await until(() => receiver.received.length === 5)
  assert.equal(other.stats(), undefined)

  await first.stop()
  await addPets(one, 5)
  await until(() => receiver.received.length >= 10)

  assert.deepEqual(receiver.ids(), upTo(10))
})

test('postgres: an instance whose lease was taken stores nothing and stops to deliver', async (t) => {
  const url = await postgres.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url)
  const first = deliver(t, storage, { leaseMs: 3_000 })
  await addPets(storage, 1)
  await until(async () => (await storage.deliveries.positions()).length === 1)
  const { deliveries } = storage
  const taken = { ...deliveries, renew: async () => false, record: async () => false, acquire: async () => undefined }
  Object.assign(storage.deliveries, taken)

  await addPets(storage, 1)
  await until(() => first.stats() === undefined)
  await addPets(storage, 1)
  await first.tick()

  assert.ok(receiver.received.length <= 2)
  assert.equal((await storage.deliveries.positions())[0]?.eventId, 1n)
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
