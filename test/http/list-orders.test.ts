import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { invalidLimits } from '../support/invalid-limits.ts'
import { startShop } from '../support/order-requests.ts'

const filters: Record<string, number[]> = {
  '': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  'status=placed&': [10, 11, 12],
  'status=cancelled&': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  'status=completed&': [],
  'petId=2&': [2, 5, 8, 11],
  'petId=3&status=cancelled&': [3, 6, 9],
  'petId=3&status=placed&': [12],
  'petId=4&': [],
  'petId=-9223372036854775808&': [],
}

const statuses = ['', 'Placed', 'sold', 'placed,cancelled', 'null', 'placed&status=placed']
const petIds = ['', 'abc', '01', '1.0', '+1', '9223372036854775808', '1&petId=1']
const refusedQueries = [
  ...invalidLimits.map((limit) => `limit=${limit}`),
  ...statuses.map((status) => `status=${status}`),
  ...petIds.map((petId) => `petId=${petId}`),
  'cursor=',
  'cursor=x',
  'status=%zz',
]

test('a read key can list orders but not place or end one', async (t) => {
  const { place, sendJson, send, makeKey } = await startShop(t, 2)
  const headers = { authorization: `Bearer ${(await makeKey({ permission: 'read' })).secret}` }
  const { text } = await place(1)

  assertError(await place(2, headers), 'forbidden')
  assertError(await sendJson('PATCH /v1/store/orders/1', { status: 'completed' }, headers), 'forbidden')
  assert.equal((await send('/v1/store/orders', { headers })).text, `[${text}]`)
})

test('there are no orders at first', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/store/orders')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '[]')
  assert.equal(answer.headers.get('link'), null)
})

for (const engine of engines) {
  for (const [filter, ids] of Object.entries(filters)) {
    test(`${engine.name}: following the links sees every matching order once, ascending by id: ?${filter}`, async (t) => {
      const { send } = await startWithOrders(t, { engine })

      for (const limit of [1, 2, 3, 5, 12, 100]) {
        const pages = await walk({ send }, `/v1/store/orders?${filter}limit=${limit}`)
        assert.deepEqual(pages.flat(), ids)
        assert.equal(pages.length, Math.max(1, Math.ceil(ids.length / limit)))
      }
    })
  }
}

test('a page of orders has 20 by default and links to the next', async (t) => {
  const { storage, send, origin } = await startShop(t, 30)
  for (let id = 1n; id <= 30n; id++) await storage.orders.place({ petId: id })

  const page = await send('/v1/store/orders')
  const filtered = await send('/v1/store/orders?status=placed&limit=2')

  assert.equal(idsOf(page).length, 20)
  assert.match(page.headers.get('link') ?? '', /^<[^<>]+\/v1\/store\/orders\?cursor=[\w-]+>; rel="next"$/)
  assert.ok(filtered.headers.get('link')?.startsWith(`<${origin}/v1/store/orders?status=placed&limit=2&cursor=`))
})

test('paging over open orders skips none that stay open while others end and are placed', async (t) => {
  const { send, storage } = await startShop(t, 20)
  for (let id = 1n; id <= 16n; id++) await storage.orders.place({ petId: id })

  const seen: number[] = []
  const ended = new Set<number>()
  let next: string | undefined = '/v1/store/orders?status=placed&limit=4'
  for (let petId = 17n; next !== undefined; petId++) {
    const page: Answer = await send(next)
    const last = idsOf(page).at(-1) as number
    seen.push(...idsOf(page))
    next = nextOf(page)
    // The one that the cursor stands on, and one that is still to come.
    await storage.orders.update(BigInt(last), { status: 'completed' })
    if ((await storage.orders.update(BigInt(last + 2), { status: 'cancelled' })).outcome === 'updated')
      ended.add(last + 2)
    await storage.orders.place({ petId })
  }

  assert.ok(ended.size > 1)
  assert.deepEqual(
    seen.filter((id) => id <= 16),
    Array.from({ length: 16 }, (_, index) => index + 1).filter((id) => !ended.has(id)),
  )
  assert.equal(new Set(seen).size, seen.length)
})

for (const query of refusedQueries) {
  test(`listOrders refuses ?${query}, and names the parameter`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send(`/v1/store/orders?${query}`)

    assertError(answer, 'invalid_parameter')
    if (!query.includes('%zz'))
      assert.ok((answer.body as { message: string }).message.includes(query.split('=')[0] as string))
  })
}

test('listOrders ignores unknown parameters', async (t) => {
  const { send } = await startWithOrders(t)

  assert.equal(idsOf(await send('/v1/store/orders?categoryId=x&id=1&foo')).length, 12)
})

test('a cursor of another filter, or of another list, is refused', async (t) => {
  const { send, create } = await startWithOrders(t)
  await create({ name: 'Rex', categoryId: 1 })
  const all = cursorOf(await send('/v1/store/orders?limit=1'))
  const placed = cursorOf(await send('/v1/store/orders?status=placed&limit=1'))
  const pets = cursorOf(await send('/v1/pets?limit=1'))
  const available = cursorOf(await send('/v1/pets?status=pending&limit=1'))
  const refused = [
    `status=placed&cursor=${all}`,
    `petId=1&cursor=${all}`,
    `cursor=${placed}`,
    `status=cancelled&cursor=${placed}`,
    `status=placed&petId=1&cursor=${placed}`,
    `cursor=${pets}`,
    `cursor=${available}`,
    `cursor=${all.slice(1)}`,
    `cursor=${all}A`,
    `cursor=${all}&cursor=${all}`,
  ]

  for (const query of refused) assertError(await send(`/v1/store/orders?${query}`), 'invalid_parameter')
  assertError(await send(`/v1/pets?cursor=${all}`), 'invalid_parameter')
  assert.deepEqual(idsOf(await send(`/v1/store/orders?limit=3&cursor=${all}`)), [2, 3, 4])
})

test('a list of orders has an ETag that changes with any order', async (t) => {
  const { send, close } = await startWithOrders(t)
  const headers = { 'if-none-match': (await send('/v1/store/orders')).headers.get('etag') ?? '' }

  const unchanged = await send('/v1/store/orders', { headers })
  await close(10, 'completed')
  const changed = await send('/v1/store/orders', { headers })

  assert.deepEqual([unchanged.status, unchanged.text, changed.status], [304, '', 200])
  assert.equal(changed.headers.get('cache-control'), 'private, no-cache')
})

/** Orders 1 to 12: for the animals 1, 2, 3 in turn, of which the last three are open. */
async function startWithOrders(t: TestContext, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startShop(t, 3, options)
  for (let id = 1; id <= 12; id++) {
    await app.storage.orders.place({ petId: BigInt(((id - 1) % 3) + 1) })
    if (id > 9) continue
    await app.storage.orders.update(BigInt(id), { status: 'cancelled' })
  }
  return app
}

/** The ids on each page. */
async function walk({ send }: Pick<TestApp, 'send'>, path: string): Promise<number[][]> {
  const pages: number[][] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const page: Answer = await send(next)
    assert.equal(page.status, 200, page.text)
    pages.push(idsOf(page))
    next = nextOf(page)
  }
  return pages
}

function nextOf(answer: Answer): string | undefined {
  return /^<http:\/\/[^/]+([^<>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
}

function cursorOf(answer: Answer): string {
  return /cursor=([\w-]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? ''
}

function idsOf(answer: Answer): number[] {
  return (answer.body as { id: number }[]).map(({ id }) => id)
}
