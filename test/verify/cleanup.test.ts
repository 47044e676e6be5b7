import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { bareKey, type BarePet, type BareRequest, BareShop, encode, error, json, serveBare } from './bare-shop.ts'
import { judge } from './judge.ts'
import { HttpFault } from '../../verify/src/http/response-reader.ts'
import { send } from '../../verify/src/http/send.ts'
import { writes } from '../../verify/src/shop/check.ts'

/** A bare shop with DELETE and an animal of somebody else. */
function shopWithDelete(): BareShop {
  const shop = new BareShop()
  for (let count = 0; count < 30; count++) shop.add('Rex', '1', 'sold')
  return shop
}

function removing(shop: BareShop, { method, path }: BareRequest) {
  if (method !== 'DELETE') return undefined
  const index = shop.pets.findIndex(({ id }) => path === `/v1/pets/${id}`)
  if (index === -1) return error(404, 'not_found', 'No animal has this id.')
  shop.pets.splice(index, 1)
  return { status: 204, type: '', body: '' }
}

const wrongResponses = {
  'a 500 after the animal was stored': () => error(500, 'internal', 'Sorry.'),
  'a 201 without a body': () => json(201, ''),
  'a 201 with the id of another animal': (shop: BareShop) => json(201, encode(shop.pets[0] as never)),
  'a 201 with an id that nothing has': () => json(201, '{"id":4711,"name":"x","categoryId":1}'),
}

for (const [name, respond] of Object.entries(wrongResponses)) {
  test(`animals of creates that answered wrongly are removed, and no others: ${name}`, async (t) => {
    const shop = shopWithDelete()
    const before = structuredClone(shop.pets)
    const url = await serveBare(t, (request) => {
      const honest = removing(shop, request) ?? shop.handle(request)
      return request.method === 'POST' && honest.status === 201 ? respond(shop) : honest
    })

    const report = await judge(url, bareKey)

    assert.deepEqual(shop.pets, before)
    assert.ok(report.cleanup.removed > 5, String(report.cleanup.removed))
    assert.deepEqual(report.cleanup.left, [])
  })
}

test('animals that should have been refused are removed', async (t) => {
  const shop = shopWithDelete()
  const before = structuredClone(shop.pets)
  const url = await serveBare(t, (request) => {
    const honest = removing(shop, request) ?? shop.handle(request)
    if (request.method !== 'POST' || honest.status !== 400) return honest
    const sent = objectOf(request.body)
    if (sent === undefined) return honest
    const { name, categoryId = 0, status } = sent
    const category = typeof categoryId === 'number' ? BigInt(Math.floor(categoryId)) : 0n
    return json(
      201,
      encode(
        shop.add(
          typeof name === 'string' ? name : JSON.stringify(name ?? '').slice(1, -1),
          String(category),
          typeof status === 'string' ? status : undefined,
        ),
      ),
    )
  })

  const report = await judge(url, bareKey)

  assert.ok(report.results.some(({ id, outcome }) => id === 'C-4.2-10' && outcome === 'failed'))
  assert.deepEqual(shop.pets, before)
})

/** Undefined if it is no JSON. */
function objectOf(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body || '{}') as Record<string, unknown>
  } catch {
    return undefined
  }
}

test('a shop that fails to delete is told with the animals that remain', async (t) => {
  const shop = shopWithDelete()
  const url = await serveBare(t, (request) =>
    request.method === 'DELETE' ? error(503, 'unavailable', 'Later.') : shop.handle(request),
  )

  const report = await judge(url, bareKey, { only: 'C-4.2-1' })

  assert.deepEqual(
    report.cleanup.left,
    shop.pets.slice(30).map(({ id }) => String(id)),
  )
  assert.equal(report.results[0]?.outcome, 'passed')
})

test('an animal of somebody else is not removed if the shop answers creates with its id, and it has no name', async (t) => {
  const shop = shopWithDelete()
  const nameless = shop.pets[0] as BarePet
  nameless.name = ''
  const url = await serveBare(t, (request) => {
    const honest = removing(shop, request) ?? shop.handle(request)
    return request.method === 'POST' && honest.status === 201 ? json(201, encode(nameless)) : honest
  })

  await judge(url, bareKey)

  assert.equal(shop.pets[0], nameless)
})

for (const count of [30, 300]) {
  test(`nothing is removed if the shop shows its ${count} animals with the category of the last create`, async (t) => {
    const shop = new BareShop()
    for (let index = 0; index < count; index++) shop.add('Rex', '1', 'sold')
    const before = shop.pets.map(({ id }) => id)
    let last = '1'
    const url = await serveBare(t, (request) => {
      const response = removing(shop, request) ?? shop.handle(request)
      if (request.method === 'POST' && response.status === 201) {
        last = shop.pets.at(-1)?.categoryId ?? ''
        // Later lists show other animals than those before.
        shop.pets.unshift(...shop.pets.splice(-100))
        return json(201, '')
      }
      return { ...response, body: response.body.replaceAll('"categoryId":1,', `"categoryId":${last},`) }
    })

    await judge(url, bareKey, { only: 'C-4.2-1' })

    const now = new Set(shop.pets.map(({ id }) => id))
    assert.deepEqual(
      before.filter((id) => !now.has(id)),
      [],
    )
  })
}

test('what was added is removed also after a fault of a check itself', async (t) => {
  const shop = shopWithDelete()
  const url = await serveBare(t, (request) => removing(shop, request) ?? shop.handle(request))
  const faulty = writes('C-4.2-1', {
    name: 'a check with a fault',
    sentence: '',
    async run({ stock }) {
      await stock.add()
      throw new TypeError('undefined is not a function')
    },
  })

  await assert.rejects(judge(url, bareKey, { checks: [faulty] }), /undefined is not a function/)

  assert.equal(shop.pets.length, 30)
})

test('a shop that stops responding may still have the animals of the run, and the report says so', async (t) => {
  const shop = shopWithDelete()
  const url = await serveBare(t, (request) => removing(shop, request) ?? shop.handle(request))
  let isGone = false

  const { cleanup } = await judge(url, bareKey, {
    only: 'C-4.2-1',
    progress: () => void (isGone = true),
    transport: async (request, limits) => {
      if (isGone) throw new HttpFault('refused the connection')
      return send(request, limits)
    },
  })

  const added = shop.pets.slice(30).map(({ id }) => id)
  assert.deepEqual(cleanup.notes, [
    'The shop stopped responding while its animals were removed.',
    `These animals of the run may still be in the shop: ${added.join(', ')}.`,
  ])
})

test('removing ends after its time, whatever the shop does, and the report says what may be left', async (t) => {
  const shop = shopWithDelete()
  const url = await serveBare(t, (request) => removing(shop, request) ?? shop.handle(request))
  let isOver = false

  const { cleanup } = await judge(url, bareKey, {
    only: 'C-4.2-1',
    maxCleaningMs: 50,
    progress: () => void (isOver = true),
    transport: async (request, limits) => {
      // Every response of the clean-up takes all the time that is left, a minute if that is not limited.
      if (isOver && !request.url.pathname.endsWith('/pets')) await wait(limits.timeoutMs + 5)
      return send(request, limits)
    },
  })

  assert.equal(cleanup.removed, 0)
  assert.deepEqual(cleanup.left, ['31', '32'])
  assert.deepEqual(cleanup.notes, ['Removing the animals of this run took too long, and was ended.'])
})

test('a delete that the shop puts off is sent again', async (t) => {
  const shop = shopWithDelete()
  let deletes = 0
  const url = await serveBare(t, (request) => {
    if (request.method !== 'DELETE' || ++deletes > 1) return removing(shop, request) ?? shop.handle(request)
    return { ...error(503, 'unavailable', 'Later.'), headers: { 'retry-after': '0' } }
  })

  const { cleanup } = await judge(url, bareKey, { only: 'C-4.2-1' })

  assert.deepEqual(cleanup.left, [])
  assert.equal(shop.pets.length, 30)
})

test('an animal that somebody else has removed does not keep the others in the shop', async (t) => {
  const shop = shopWithDelete()
  let deletes = 0
  const url = await serveBare(t, (request) =>
    request.method === 'DELETE' && ++deletes === 1
      ? error(404, 'not_found', 'No animal has this id.')
      : (removing(shop, request) ?? shop.handle(request)),
  )

  const { cleanup } = await judge(url, bareKey, { only: 'C-4.2-1' })

  assert.equal(cleanup.left.length, 1)
  assert.equal(shop.pets.length, 31)
})
