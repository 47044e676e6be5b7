import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { checkStorage } from '../../src/storage/check/check.ts'
import { type Engine, postgres, sqlite, temporaryFolder } from '../support/engines.ts'
import type { WireEvent } from '../support/event-stream.ts'
import { type Service, startService } from '../support/service.ts'

interface Creation {
  name: string
  /** Sent as the Idempotency-Key. */
  idempotencyKey?: string
}
interface Animal {
  id: number
  name: string
  categoryId: number
  status: string
}

const key = 'a-key-that-outlives-the-crashes'
/** `npm run test:crash` asks for many more. */
const cycles = Number(process.env['PETSTORE_CRASH_CYCLES'] ?? 3)
const clients = 16

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: kill -9 under load loses and alters nothing that was acknowledged, and does nothing twice`, (t) =>
    crashCreates(t, engine))

  test(`${engine.name}: kill -9 under load leaves one event for every change that was acknowledged, and a change for every event`, (t) =>
    crashChanges(t, engine))
}

async function crashCreates(t: TestContext, engine: Engine): Promise<void> {
  const cwd = temporaryFolder(t)
  const url = await engine.url(t)
  const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'silent', PETSTORE_DATABASE_URL: url }
  const acknowledged = new Map<string, Animal>()
  let unanswered: Creation[] = []
  let sent = 0

  for (let cycle = 0; cycle < cycles; cycle++) {
    const service = await startService(t, { cwd, env })
    const retries = unanswered.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
    const lost: Creation[] = unanswered.filter(({ idempotencyKey }) => idempotencyKey === undefined)

    const client = async () => {
      while (service.child.exitCode === null && service.child.signalCode === null) {
        const name = `pet ${++sent}`
        const creation = retries.pop() ?? { name, ...(sent % 2 === 0 && { idempotencyKey: `attempt ${sent}` }) }
        const animal = await create(service, creation).catch(() => undefined)
        if (animal === undefined) lost.push(creation)
        else acknowledged.set(creation.name, animal)
      }
    }
    const running = Array.from({ length: clients }, client)
    // On a busy machine the clients may need a while to get going.
    while (acknowledged.size < (cycle + 1) * 2 * clients) await wait(10)
    await wait(Math.random() * 200)
    service.child.kill('SIGKILL')
    await once(service.child, 'close')
    await Promise.all(running)
    unanswered = [...lost, ...retries]
  }

  const service = await startService(t, { cwd, env })
  const found = await readAll<Animal>(service, '/v1/pets')
  const replayed = await Promise.all(
    [...acknowledged.values()]
      .filter(({ name }) => Number(name.slice(4)) % 2 === 0)
      .slice(-50)
      .map(({ name }) => create(service, { name, idempotencyKey: `attempt ${name.slice(4)}` })),
  )
  await service.stop()

  const byName = Map.groupBy(found, ({ name }) => name)
  assert.ok(acknowledged.size > cycles * clients, `only ${acknowledged.size} were acknowledged`)
  assert.ok(unanswered.length > 0, 'no crash met a request in flight')
  for (const [name, animal] of acknowledged) assert.deepEqual(byName.get(name), [animal])
  for (const [name, animals] of byName) assert.equal(animals.length, 1, `${name} was created twice`)
  // Each id once, and none is wasted, not even by a crash.
  assert.deepEqual(
    found.map(({ id }) => id),
    found.map((_, index) => index + 1),
  )
  for (const animal of replayed) assert.deepEqual(animal, acknowledged.get(animal.name))
  await assertIntegrity(url)
}

async function crashChanges(t: TestContext, engine: Engine): Promise<void> {
  const cwd = temporaryFolder(t)
  const url = await engine.url(t)
  const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'silent', PETSTORE_DATABASE_URL: url }
  const acknowledged: Change[] = []
  const shop: number[] = []
  let unanswered: Placement[] = []
  let sent = 0

  for (let cycle = 0; cycle < cycles; cycle++) {
    const service = await startService(t, { cwd, env })
    const retries = unanswered
    const lost: Placement[] = []

    /** Keeps animals of its own, which it alone renames and deletes, and orders anybody's. */
    const client = async () => {
      const mine: number[] = []
      const orders: number[] = []
      const steps = {
        async add() {
          const answer = await ask(service, 'POST /v1/pets', {
            name: `pet ${++sent}`,
            categoryId: 1,
            status: 'available',
          })
          if (answer === undefined) return
          assert.equal(answer.status, 201)
          acknowledged.push(['petstore.pet.created', answer.body])
          mine.push(answer.body.id)
          shop.push(answer.body.id)
        },
        async rename() {
          const answer = await ask(service, `PATCH /v1/pets/${pick(mine)}`, { name: `pet ${++sent}` })
          if (answer === undefined) return
          assert.equal(answer.status, 200)
          acknowledged.push(['petstore.pet.updated', answer.body])
        },
        async remove() {
          const id = mine.shift() as number
          const answer = await ask(service, `DELETE /v1/pets/${id}`)
          if (answer?.status === 409) mine.push(id)
          else if (answer?.status === 204) acknowledged.push(['petstore.pet.deleted', { id }])
          else assert.equal(answer, undefined)
        },
        async order() {
          const placement = retries.pop() ?? { petId: pick(shop), idempotencyKey: `attempt ${++sent}` }
          const { petId, idempotencyKey } = placement
          const answer = await ask(service, 'POST /v1/store/orders', { petId }, { 'idempotency-key': idempotencyKey })
          if (answer === undefined) return lost.push(placement)
          if (answer.status === 409) return
          assert.equal(answer.status, 201)
          acknowledged.push(['petstore.order.placed', answer.body])
          orders.push(answer.body.id)
        },
        async end() {
          const status = pick(['completed', 'cancelled'])
          const answer = await ask(service, `PATCH /v1/store/orders/${orders.shift()}`, { status })
          if (answer === undefined) return
          assert.equal(answer.status, 200)
          acknowledged.push([`petstore.order.${status}`, answer.body])
        },
      }
      while (service.child.exitCode === null && service.child.signalCode === null) {
        if (mine.length < 3) await steps.add()
        else if (orders.length > 2) await steps.end()
        else await pick([steps.add, steps.rename, steps.rename, steps.order, steps.order, steps.remove])()
      }
    }
    const running = Promise.all(Array.from({ length: clients }, client))
    while (acknowledged.length < (cycle + 1) * 4 * clients) await wait(10)
    await wait(Math.random() * 200)
    service.child.kill('SIGKILL')
    await once(service.child, 'close')
    await running
    unanswered = [...lost, ...retries]
  }

  const service = await startService(t, { cwd, env })
  const pets = await readAll<Subject>(service, '/v1/pets')
  const orders = await readAll<Subject>(service, '/v1/store/orders')
  const events = await readAll<WireEvent>(service, '/v1/events')
  await service.stop()

  assert.ok(acknowledged.length > cycles * clients, `only ${acknowledged.length} were acknowledged`)
  assert.deepEqual(
    events.map(({ sequence }) => Number(sequence)),
    events.map((_, index) => index + 1),
  )
  assert.deepEqual(replay(events), { pets, orders })
  const counts = Map.groupBy(byHand(events), (event) => nameOf(event.type, event.data as unknown as Subject))
  for (const [type, subject] of acknowledged) {
    const events = counts.get(nameOf(type, subject)) ?? []
    assert.equal(events.length, 1, `${nameOf(type, subject)} has an event ${events.length} times`)
    if (type !== 'petstore.pet.deleted') assert.deepEqual(events[0]?.data, subject)
  }
  await assertIntegrity(url)
}

/** An animal or an order. */
interface Subject {
  id: number
  petId?: number
  name?: string
  status?: string
}
type Change = [type: string, subject: Subject]
interface Placement {
  petId: number
  idempotencyKey: string
}

/** What tells a change from all others that the clients ask for: each new name is given once. */
function nameOf(type: string, { id, name }: Subject): string {
  return type === 'petstore.pet.updated' ? `${type} ${id} ${name}` : `${type} ${id}`
}

/** The events without those of animals that an order changed: each of these comes right before that of the order. */
function byHand(events: readonly WireEvent[]): WireEvent[] {
  return events.filter(({ type }, index) => type !== 'petstore.pet.updated' || !isOfOrder(events[index + 1]))
}

function isOfOrder(event: WireEvent | undefined): boolean {
  return event?.type.startsWith('petstore.order') ?? false
}

const petStatusAfter: Record<string, string> = { placed: 'pending', completed: 'sold', cancelled: 'available' }

/** What there must be when all of this happened, and nothing else. */
function replay(events: readonly WireEvent[]): { pets: Subject[]; orders: Subject[] } {
  const pets = new Map<number, Subject>()
  const orders = new Map<number, Subject>()
  const ordered = new Set<number>()
  for (const event of events) {
    const data = event.data as unknown as Subject
    const { id, petId = 0, status = '' } = data
    switch (event.type) {
      case 'petstore.pet.created':
        assert.equal(pets.has(id), false)
        pets.set(id, data)
        break
      case 'petstore.pet.updated':
        assert.notDeepEqual(pets.get(id), data)
        pets.set(id, data)
        break
      case 'petstore.pet.deleted':
        assert.deepEqual(pets.get(id), data)
        assert.equal(ordered.has(id), false)
        pets.delete(id)
        break
      case 'petstore.order.placed':
        assert.equal(ordered.has(petId), false, `animal ${petId} is in two open orders`)
        ordered.add(petId)
        orders.set(id, data)
        break
      default:
        assert.ok(ordered.delete(petId))
        orders.set(id, data)
    }
    if (isOfOrder(event)) assert.equal(pets.get(petId)?.status, petStatusAfter[status])
  }
  return { pets: [...pets.values()], orders: [...orders.values()] }
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

async function create(service: Service, { name, idempotencyKey }: Creation): Promise<Animal> {
  const pet = { name, categoryId: name.length, status: 'pending' }
  const answer = await ask(
    service,
    'POST /v1/pets',
    pet,
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  )
  assert.equal(answer?.status, 201)
  return answer?.body as unknown as Animal
}

/** Undefined when the answer did not arrive whole. */
async function ask(
  { origin }: Service,
  start: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Subject } | undefined> {
  const [method = '', path = ''] = start.split(' ')
  try {
    const answer = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Subject }
  } catch {
    return undefined
  }
}

async function readAll<Item>({ origin }: Service, path: string): Promise<Item[]> {
  const found: Item[] = []
  let next: string | undefined = `${origin}${path}?limit=100`
  while (next !== undefined) {
    const answer: Response = await fetch(next, { headers: { authorization: `Bearer ${key}` } })
    found.push(...((await answer.json()) as Item[]))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return found
}

async function assertIntegrity(url: string): Promise<void> {
  const checked = await Array.fromAsync(checkStorage(url, 'production'))
  assert.deepEqual(
    checked.filter(({ result }) => result === 'wrong'),
    [],
  )
}
