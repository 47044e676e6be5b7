import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Answer, Requests } from '../../support/app.ts'
import { assertError } from '../../support/error.ts'
import {
  encode,
  exactly,
  type GivenPet,
  int64,
  name,
  newPet,
  oneOf,
  runs,
  statuses,
  visible,
  wire,
  type WirePet,
} from '../../support/generated-pets.ts'
import { startTarget } from '../../support/target.ts'

// What the storage keeps, of any animals and any writes. on-postgres.test.ts runs these on the other engine.

test('createPet, getPet and listPets return every valid animal exactly', async (t) => {
  const { create, send } = await startTarget(t)
  let id = 0

  const property = fc.asyncProperty(newPet, async (pet) => {
    const created = await create(encode(pet))
    id++

    assert.equal(created.status, 201, created.text)
    assert.deepEqual(exactly(created.text), wire(pet, id))
    const filter = `id=${id}&categoryId=${pet.categoryId}${pet.status === undefined ? '' : `&status=${pet.status}`}`
    const [got, listed] = await Promise.all([send(`/v1/pets/${id}`), send(`/v1/pets?${filter}`)])
    assert.equal(got.text, created.text)
    assert.equal(listed.text, `[${created.text}]`)
  })

  await fc.assert(property, runs)
})

test('following the links sees every animal exactly as it was added, whatever the limit', async (t) => {
  const { create, send, origin } = await startTarget(t)
  const given = fc.sample(newPet, { seed: runs.seed, numRuns: 60 })
  for (const pet of given) await create(encode(pet))
  const expected = given.map((pet, index) => wire(pet, index + 1))

  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 100 }),
    fc.option(fc.constantFrom(...statuses), { nil: undefined }),
    async (limit, status) => {
      const seen: unknown[] = []
      let next: string | undefined =
        `${origin}/v1/pets?limit=${limit}${status === undefined ? '' : `&status=${status}`}`
      while (next !== undefined) {
        const page: Answer = await send(next.slice(origin.length))
        seen.push(...(exactly(page.text) as unknown[]))
        next = /^<([^<>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      }

      assert.deepEqual(seen, status === undefined ? expected : expected.filter((pet) => pet.status === status))
    },
  )

  await fc.assert(property, { ...runs, numRuns: Math.min(runs.numRuns, 60) })
})

test('any Idempotency-Key of 1 to 255 printable characters, bare or quoted, adds one animal', async (t) => {
  const { create, send, makeKey } = await startTarget(t)
  const key = fc
    .string({ unit: oneOf(`${visible} `), minLength: 1, maxLength: 255 })
    .filter((text) => text === text.trim() && !text.startsWith('"'))
  let animals = 0

  const property = fc.asyncProperty(key, newPet, newPet, async (key, pet, other) => {
    const authorization = `Bearer ${(await makeKey()).secret}`
    const quoted = `"${key.replace(/["\\]/g, '\\$&')}"`

    const first = await create(encode(pet), { authorization, 'idempotency-key': key })
    const again = await create(encode(pet), { authorization, 'idempotency-key': quoted })
    const mismatch = await create(encode(other), { authorization, 'idempotency-key': key })
    animals++

    assert.deepEqual(exactly(first.text), wire(pet, animals))
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    if (encode(other) !== encode(pet)) assertError(mismatch, 'idempotency_mismatch')
  })

  await fc.assert(property, runs)
  const { headers } = await send('/v1/pets?limit=1', { headers: { prefer: 'count=exact' } })
  assert.equal(headers.get('x-total-count'), String(animals))
})

/** Parts of names that folding, indexes and query languages treat in ways of their own. */
const nameParts = fc.constantFrom(
  ...'rex REXI Zoë zoe\u0301\u0323 Straße STRASSE İstanbul ıslak Σίσυφος ΣΊΣΥΦΟΣ ﬁsh fish ポチ ﾎﾟﾁ 日本 각'.split(' '),
  ...'\u1100\u1161\u11a8 \ufdfa ² ½ 𐐀 🐶 \u{1d400} _ % " \' * : \\ AND NEAR - \u200d \u3000'.split(' '),
  'x'.repeat(101),
  'é'.repeat(1_001),
)
const partedName = fc
  .array(nameParts, { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.constantFrom(' ', '', '-').map((separator) => parts.join(separator)))
  .filter((text) => /[^\p{White_Space}\ufeff]/u.test(text))
const petQuery = fc.record(
  {
    name: fc.oneof(nameParts, partedName).filter((text) => text.length <= 100),
    status: fc.constantFrom(...statuses),
    categoryId: fc.bigInt({ min: 1n, max: 3n }),
    sort: fc.constantFrom('id', '-id', 'name', '-name'),
    limit: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: [] },
)

test('any search, filter, sort and limit list the animals of a simple model', async (t) => {
  const { create, send } = await startTarget(t)
  const categoryId = fc.bigInt({ min: 1n, max: 2n })
  const shape = fc.record({ name: partedName, categoryId, status: fc.constantFrom(...statuses) }, { requiredKeys: [] })
  const given = fc
    .sample(shape, { seed: runs.seed, numRuns: 60 })
    .map(({ name = 'Rex', categoryId = 1n, ...rest }): GivenPet => ({ name, categoryId, ...rest }))
  for (const pet of given) await create(encode(pet))
  const all = given.map((pet, index) => ({ pet, id: index + 1, words: foldedWords(pet.name) }))

  const property = fc.asyncProperty(petQuery, async ({ name, status, categoryId, sort = 'id', limit = 20 }) => {
    const asked = name === undefined ? [] : foldedWords(name)
    const expected = all
      .filter(({ pet }) => status === undefined || pet.status === status)
      .filter(({ pet }) => categoryId === undefined || pet.categoryId === categoryId)
      .filter(({ words }) => asked.every((beginning) => words.some((word) => word.startsWith(beginning))))
      .toSorted((one, other) => (sort.endsWith('name') ? sortKey(one).compare(sortKey(other)) : 0) || one.id - other.id)
    if (sort.startsWith('-')) expected.reverse()

    const query = new URLSearchParams({ sort, limit: String(limit) })
    for (const [key, value] of Object.entries({ name, status, categoryId })) if (value) query.set(key, String(value))
    const listed: unknown[] = []
    for (let path: string | undefined = `/v1/pets?${query.toString()}`; path !== undefined; ) {
      const page: Answer = await send(path)
      if (name !== undefined && asked.length === 0) return assertError(page, 'invalid_parameter')
      assert.equal(page.status, 200, page.text)
      listed.push(...(exactly(page.text) as unknown[]))
      path = /^<https?:\/\/[^/]+([^<>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    }

    assert.deepEqual(
      listed,
      expected.map(({ pet, id }) => wire(pet, id)),
    )
  })

  await fc.assert(property, { ...runs, numRuns: Math.min(runs.numRuns, 80) })
})

/** The words of a name, made in the plainest way. */
function foldedWords(name: string): string[] {
  const folded = Array.from(name).slice(0, 1_000).join('').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = folded.replaceAll('ς', 'σ').match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => Array.from(word).slice(0, 100).join(''))
}

/** By what names are sorted: the bytes of the first 64 characters of the words. */
function sortKey({ words }: { words: string[] }): Buffer {
  return Buffer.from(Array.from(words.join(' ')).slice(0, 64).join(''))
}

const someId = fc.integer({ min: 1, max: 6 })
const precondition = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('current' as const, 'stale' as const, 'any' as const) },
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('create' as const), pet: newPet }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('update' as const),
      id: someId,
      change: fc.record({ name, categoryId: int64, status: fc.constantFrom(...statuses, null) }, { requiredKeys: [] }),
      precondition,
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), id: someId, precondition }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('place' as const), id: someId }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('close' as const),
      id: someId,
      status: fc.constantFrom('completed' as const, 'cancelled' as const),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('any sequence of writes leaves the animals, orders and events of a simple model', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
    const app = await startTarget(t, { clock: () => Date.UTC(2027, 0, 1) })
    const shop = modelShop()

    for (const each of steps) {
      const answer = await perform(app, each)
      assert.deepEqual(
        [answer.status, answer.status < 300 && answer.text !== '' ? exactly(answer.text) : undefined],
        shop(each),
      )
    }

    const read = async (path: string) => exactly((await app.send(path)).text)
    assert.deepEqual(await read('/v1/pets?limit=100'), [...shop.pets.values()])
    assert.deepEqual(await read('/v1/store/orders?limit=100'), [...shop.orders.values()])
    for (const status of statuses)
      assert.deepEqual(
        await read(`/v1/pets?limit=100&status=${status}`),
        [...shop.pets.values()].filter((pet) => pet.status === status),
      )
    const events = (await read('/v1/events?limit=100')) as { type: string; sequence: string; data: unknown }[]
    assert.deepEqual(
      events.map(({ sequence, type, data }) => [Number(sequence), type, data]),
      shop.events.map(([type, data], index) => [index + 1, `petstore.${type}`, data]),
    )
    assert.deepEqual(app.failures, [])
    await app.close()
  })

  await fc.assert(property, { ...runs, numRuns: Math.ceil(runs.numRuns * 0.3) })
})

/** Asks the service for the step. */
async function perform({ create, send, sendJson }: Requests, step: Step): Promise<Answer> {
  switch (step.what) {
    case 'create':
      return create(encode(step.pet))
    case 'place':
      return sendJson('POST /v1/store/orders', { petId: step.id })
    case 'close':
      return sendJson(`PATCH /v1/store/orders/${step.id}`, { status: step.status })
    default: {
      const etag = (await send(`/v1/pets/${step.id}`)).headers.get('etag') ?? '"none"'
      const asked = { current: etag, stale: '"stale"', any: '*' }
      const headers = step.precondition === undefined ? {} : { 'if-match': asked[step.precondition] }
      if (step.what === 'delete') return send(`/v1/pets/${step.id}`, { method: 'DELETE', headers })
      return sendJson(`PATCH /v1/pets/${step.id}`, encodeChange(step.change), headers)
    }
  }
}

interface WireOrder {
  id: string
  petId: string
  status: string
  placedAt: string
  updatedAt: string
}

type Foretold = [status: number, body: WirePet | WireOrder | undefined]

/** The shop in a few lines: takes a step and tells the status and the body of its answer. */
function modelShop() {
  const pets = new Map<string, WirePet>()
  const orders = new Map<string, WireOrder>()
  const events: [type: string, data: unknown][] = []
  const times = { placedAt: '2027-01-01T00:00:00.000Z', updatedAt: '2027-01-01T00:00:00.000Z' }
  const isOrdered = (id: string) =>
    [...orders.values()].some(({ petId, status }) => petId === id && status === 'placed')
  let created = 0

  function keep(type: 'pet.created' | 'pet.updated', pet: WirePet): WirePet {
    pets.set(pet.id, pet)
    events.push([type, pet])
    return pet
  }

  function keepOrder(order: WireOrder, petStatus: string): WireOrder {
    keep('pet.updated', { ...(pets.get(order.petId) as WirePet), status: petStatus })
    orders.set(order.id, order)
    events.push([`order.${order.status}`, order])
    return order
  }

  function take(step: Step): Foretold {
    if (step.what === 'create') return [201, keep('pet.created', wire(step.pet, ++created))]
    const id = String(step.id)
    if (step.what === 'close') {
      const order = orders.get(id)
      if (order?.status !== 'placed') return [order === undefined ? 404 : 409, undefined]
      return [200, keepOrder({ ...order, status: step.status }, step.status === 'completed' ? 'sold' : 'available')]
    }
    const pet = pets.get(id)
    if (step.what === 'place') {
      if (pet?.status !== 'available') return [409, undefined]
      return [201, keepOrder({ id: String(orders.size + 1), petId: id, status: 'placed', ...times }, 'pending')]
    }
    if (pet === undefined) return [404, undefined]
    if (step.precondition === 'stale') return [412, undefined]
    if (step.what === 'delete') {
      if (isOrdered(id)) return [409, undefined]
      pets.delete(id)
      events.push(['pet.deleted', pet])
      return [204, undefined]
    }
    const { name = pet.name, categoryId = pet.categoryId, status = pet.status } = step.change
    const after = { id, name, categoryId: String(categoryId), ...(status != null && { status }) }
    if (after.status !== pet.status && isOrdered(id)) return [409, undefined]
    const isSame = after.name === pet.name && after.categoryId === pet.categoryId && after.status === pet.status
    return [200, isSame ? pet : keep('pet.updated', after)]
  }

  return Object.assign(take, { pets, orders, events })
}

/** The body for a change, its categoryId with all digits. */
function encodeChange({
  categoryId,
  ...change
}: {
  name?: string
  categoryId?: bigint
  status?: string | null
}): string {
  const text = JSON.stringify(change)
  if (categoryId === undefined) return text
  return text === '{}' ? `{"categoryId":${categoryId}}` : text.replace(/\}$/, `,"categoryId":${categoryId}}`)
}
