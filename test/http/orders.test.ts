import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, startApp, startAppOn, type TestApp } from '../support/app.ts'
import { engines, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { invalidLimits } from '../support/invalid-limits.ts'
import { unknownIds } from '../support/unknown-ids.ts'

const noon = Date.UTC(2027, 0, 1, 12)

/** A shop with the animals 1 to `count`, all of them available. */
async function startShop(t: TestContext, count: number, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options)
  for (let id = 1; id <= count; id++)
    await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n, status: 'available' })
  return {
    ...app,
    place: (petId: unknown, headers?: Record<string, string>) =>
      app.sendJson('POST /v1/store/orders', { petId }, headers),
    close: (id: number, status: unknown) => app.sendJson(`PATCH /v1/store/orders/${id}`, { status }),
    statusOf: async (id: number) => ((await app.send(`/v1/pets/${id}`)).body as { status?: string }).status,
  }
}

for (const engine of engines) {
  test(`${engine.name}: placeOrder makes an available animal pending`, async (t) => {
    const { place, send, statusOf } = await startShop(t, 2, { engine, clock: () => noon })

    const answer = await place(2)

    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
    assert.equal(
      answer.text,
      '{"id":1,"petId":2,"status":"placed","placedAt":"2027-01-01T12:00:00.000Z","updatedAt":"2027-01-01T12:00:00.000Z"}',
    )
    assert.deepEqual([await statusOf(1), await statusOf(2)], ['available', 'pending'])
    assert.equal((await send('/v1/store/orders')).text, `[${answer.text}]`)
  })

  for (const [status, petStatus] of [
    ['completed', 'sold'],
    ['cancelled', 'available'],
  ] as const) {
    test(`${engine.name}: an order that is ${status} makes its animal ${petStatus}`, async (t) => {
      let now = noon
      const { place, close, send, statusOf } = await startShop(t, 1, { engine, clock: () => now })
      await place(1)
      now += 61_001

      const answer = await close(1, status)

      assert.equal(answer.status, 200)
      assert.equal(
        answer.text,
        `{"id":1,"petId":1,"status":"${status}","placedAt":"2027-01-01T12:00:00.000Z","updatedAt":"2027-01-01T12:01:01.001Z"}`,
      )
      assert.equal(await statusOf(1), petStatus)
      assert.equal((await send('/v1/store/orders')).text, `[${answer.text}]`)
    })
  }

  test(`${engine.name}: if 200 clients order one animal at once, exactly one succeeds`, async (t) => {
    const { place, send, statusOf } = await startShop(t, 1, { engine })

    const answers = await Promise.all(Array.from({ length: 200 }, () => place(1)))

    const refused = answers.filter(({ status }) => status !== 201)
    assert.equal(refused.length, 199)
    for (const answer of refused) assertError(answer, 'conflict')
    assert.equal(((await send('/v1/store/orders?limit=100')).body as unknown[]).length, 1)
    assert.equal(await statusOf(1), 'pending')
  })

  test(`${engine.name}: if many clients complete and cancel one order at once, exactly one succeeds`, async (t) => {
    const { place, close, send, statusOf } = await startShop(t, 1, { engine })
    await place(1)

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => close(1, index % 2 === 0 ? 'completed' : 'cancelled')),
    )

    const [done, ...others] = answers.filter(({ status }) => status === 200) as [Answer]
    assert.equal(others.length, 0)
    for (const answer of answers) if (answer.status !== 200) assertError(answer, 'conflict')
    assert.equal((await send('/v1/store/orders')).text, `[${done.text}]`)
    assert.equal(await statusOf(1), (done.body as { status: string }).status === 'completed' ? 'sold' : 'available')
  })
}

test('if 200 clients of two processes order one animal, exactly one succeeds', async (t) => {
  const url = await sqlite.url(t)
  const [one, two] = [await startAppOn(t, url), await startAppOn(t, url)]
  await one.create({ name: 'Rex', categoryId: 1, status: 'available' })

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      (index % 2 === 0 ? one : two).sendJson('POST /v1/store/orders', { petId: 1 }),
    ),
  )

  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 199)
})

test('ids of orders are 1, 2, 3; refused orders use no id', async (t) => {
  const { place } = await startShop(t, 3)

  const ids = []
  for (const petId of [3, 1, 2]) {
    ids.push(((await place(petId)).body as { id: number }).id)
    await place(petId)
    await place('x')
  }

  assert.deepEqual(ids, [1, 2, 3])
})

test('an animal can be ordered again after its order was cancelled, but not after it was sold', async (t) => {
  const { place, close } = await startShop(t, 1)
  await place(1)
  await close(1, 'cancelled')

  const again = await place(1)
  await close(2, 'completed')
  const sold = await place(1)

  assert.equal((again.body as { id: number }).id, 2)
  assertError(sold, 'conflict')
})

for (const [status, message] of [
  ['pending', /\bpending\b.*\bavailable\b/],
  ['sold', /\bsold\b.*\bavailable\b/],
  [undefined, /without a status.*\bavailable\b/],
] as const) {
  test(`an animal that is ${status ?? 'without a status'} cannot be ordered, and the message says which can`, async (t) => {
    const { create, place, send } = await startShop(t, 0)
    const pet = await create({ name: 'Rex', categoryId: 1, ...(status && { status }) })

    const answer = await place(1)

    assertError(answer, 'conflict')
    assert.match((answer.body as { message: string }).message, message)
    assert.equal((await send('/v1/pets/1')).text, pet.text)
    assert.equal((await send('/v1/store/orders')).text, '[]')
  })
}

for (const petId of ['2', '0', '-1', '9223372036854775807', '-9223372036854775808']) {
  test(`an unknown animal cannot be ordered: ${petId}`, async (t) => {
    const { sendJson } = await startShop(t, 1)

    const answer = await sendJson('POST /v1/store/orders', `{"petId":${petId}}`)

    assertError(answer, 'conflict')
    assert.ok((answer.body as { message: string }).message.includes(petId), answer.text)
  })
}

test('placeOrder refuses a petId that is not an int64', async (t) => {
  const { sendJson, statusOf } = await startShop(t, 1)

  for (const value of ['"1"', 'null', 'true', '1.5', '[1]', '{}', '9223372036854775808', '1e400']) {
    await t.test(value, async () => {
      const answer = await sendJson('POST /v1/store/orders', `{"petId":${value}}`)

      assertError(answer, 'invalid_body')
      assert.match((answer.body as { message: string }).message, /\bpetId\b.*\binteger\b/)
    })
  }
  await t.test('missing', async () => {
    assertError(await sendJson('POST /v1/store/orders', { id: 1, pet: 1, PetId: 1 }), 'invalid_body')
  })
  assert.equal(await statusOf(1), 'available')
})

test('placeOrder ignores other members and echoes none', async (t) => {
  const { sendJson } = await startShop(t, 1)

  const answer = await sendJson('POST /v1/store/orders', '{"petId":1.0,"status":"completed","id":9,"quantity":2}')

  assert.equal(answer.status, 201)
  assert.deepEqual(Object.keys(answer.body as object), ['id', 'petId', 'status', 'placedAt', 'updatedAt'])
  assert.match(answer.text, /^\{"id":1,"petId":1,"status":"placed",/)
})

test('placeOrder accepts only application/json', async (t) => {
  const { sendJson } = await startShop(t, 1)
  const type = { 'content-type': 'application/merge-patch+json' }

  assertError(await sendJson('POST /v1/store/orders', { petId: 1 }, type), 'unsupported_media_type')
  for (const body of ['', '[]', 'null', '1', '{'])
    assertError(await sendJson('POST /v1/store/orders', body), 'invalid_body')
})

test('updateOrder accepts a merge patch under both media types', async (t) => {
  const { place, sendJson } = await startShop(t, 2)
  await place(1)
  await place(2)

  const types = ['application/json', 'application/merge-patch+json']
  for (const [index, type] of types.entries()) {
    const body = { status: 'completed', petId: 9, id: 9 }
    const answer = await sendJson(`PATCH /v1/store/orders/${index + 1}`, body, { 'content-type': type })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((answer.body as { petId: number }).petId, index + 1)
  }
  assertError(
    await sendJson('PATCH /v1/store/orders/1', {}, { 'content-type': 'text/plain' }),
    'unsupported_media_type',
  )
})

for (const status of ['placed', 'sold', 'available', 'Completed', '', null, 1]) {
  test(`updateOrder refuses the status ${JSON.stringify(status)} and says which are allowed`, async (t) => {
    const { place, close, send } = await startShop(t, 1)
    const { text } = await place(1)

    const answer = await close(1, status)

    assertError(answer, 'invalid_body')
    assert.match((answer.body as { message: string }).message, /\bstatus\b.*\bcompleted\b.*\bcancelled\b/)
    assert.equal((await send('/v1/store/orders')).text, `[${text}]`)
  })
}

for (const first of ['completed', 'cancelled']) {
  for (const second of ['completed', 'cancelled']) {
    test(`an order that is ${first} cannot become ${second}, and the message says so`, async (t) => {
      const { place, close, send, statusOf } = await startShop(t, 1)
      await place(1)
      const { text } = await close(1, first)
      const before = await statusOf(1)

      const answer = await close(1, second)

      assertError(answer, 'conflict')
      assert.match((answer.body as { message: string }).message, new RegExp(`\\b${first}\\b.*cannot change`))
      assert.equal((await send('/v1/store/orders')).text, `[${text}]`)
      assert.equal(await statusOf(1), before)
    })
  }
}

test('a cancelled order no longer affects its animal', async (t) => {
  const { place, close, statusOf } = await startShop(t, 1)
  await place(1)
  await close(1, 'cancelled')
  await place(1)

  assertError(await close(1, 'completed'), 'conflict')

  assert.equal(await statusOf(1), 'pending')
})

test('updateOrder returns 404 unless the id is the canonical decimal of a stored one', async (t) => {
  const { place, sendJson } = await startShop(t, 1)
  await place(1)

  for (const [what, id] of Object.entries(unknownIds)) {
    await t.test(what, async () => {
      assertError(await sendJson(`PATCH /v1/store/orders/${id}`, { status: 'completed' }), 'not_found')
    })
  }
})

test('a read key can list orders but not place or end one', async (t) => {
  const { place, sendJson, send, makeKey } = await startShop(t, 2)
  const headers = { authorization: `Bearer ${(await makeKey({ permission: 'read' })).secret}` }
  const { text } = await place(1)

  assertError(await place(2, headers), 'forbidden')
  assertError(await sendJson('PATCH /v1/store/orders/1', { status: 'completed' }, headers), 'forbidden')
  assert.equal((await send('/v1/store/orders', { headers })).text, `[${text}]`)
})

for (const engine of engines) {
  test(`${engine.name}: the same Idempotency-Key and body replay the first response and order nothing`, async (t) => {
    const { place, close, send } = await startShop(t, 2, { engine })
    const first = await place(1, { 'idempotency-key': 'a' })
    await close(1, 'cancelled')

    const again = await place(1, { 'idempotency-key': '"a"' })

    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(again.status, 201)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(((await send('/v1/store/orders')).body as unknown[]).length, 1)
  })

  test(`${engine.name}: 50 concurrent requests with one key place one order`, async (t) => {
    const { place, send } = await startShop(t, 1, { engine })

    const answers = await Promise.all(Array.from({ length: 50 }, () => place(1, { 'idempotency-key': 'a' })))

    for (const answer of answers) if (answer.status !== 201) assertError(answer, 'conflict')
    assert.equal(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size, 1)
    assert.equal(((await send('/v1/store/orders')).body as unknown[]).length, 1)
  })
}

test('the same Idempotency-Key with another animal, or for another operation, is a mismatch', async (t) => {
  const { place, create, statusOf } = await startShop(t, 2)
  const headers = { 'idempotency-key': 'a' }
  await place(1, headers)
  await create({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'b' })

  assertError(await place(2, headers), 'idempotency_mismatch')
  assertError(await create({ name: 'Rex', categoryId: 1 }, headers), 'idempotency_mismatch')
  assertError(await place(2, { 'idempotency-key': 'b' }), 'idempotency_mismatch')
  assert.equal(await statusOf(2), 'available')
})

test('Idempotency-Keys of orders are scoped to the API key', async (t) => {
  const { place, makeKey } = await startShop(t, 2)
  const authorization = `Bearer ${(await makeKey()).secret}`

  const mine = await place(1, { 'idempotency-key': 'a' })
  const theirs = await place(2, { 'idempotency-key': 'a', authorization })

  assert.deepEqual([mine.status, theirs.status], [201, 201])
})

test('a refused order is not remembered', async (t) => {
  const { place, sendJson } = await startShop(t, 1)
  const headers = { 'idempotency-key': 'a' }
  await sendJson('PATCH /v1/pets/1', { status: 'sold' })
  assertError(await place(1, headers), 'conflict')
  assertError(await place(2, headers), 'conflict')
  await sendJson('PATCH /v1/pets/1', { status: 'available' })

  const answer = await place(1, headers)

  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('idempotent-replayed'), null)
})

test('an Idempotency-Key of an order is remembered for 24 hours', async (t) => {
  let now = noon
  const { place, close } = await startShop(t, 1, { clock: () => now })
  const headers = { 'idempotency-key': 'a' }
  const first = await place(1, headers)
  await close(1, 'cancelled')

  now += 24 * 60 * 60 * 1000 - 1
  const late = await place(1, headers)
  now += 2
  const tooLate = await place(1, headers)

  assert.equal(late.text, first.text)
  assert.equal((tooLate.body as { id: number }).id, 2)
})

test('placeOrder refuses an invalid Idempotency-Key', async (t) => {
  const { place, statusOf } = await startShop(t, 1)

  for (const key of ['', '""', 'x'.repeat(256), '"a', 'caf\u00e9'])
    assertError(await place(1, { 'idempotency-key': key }), 'invalid_parameter')
  assert.equal(await statusOf(1), 'available')
})

test('while the first request is in flight, the same Idempotency-Key is a conflict', async (t) => {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  const { place, send } = await startShop(t, 1, { storage })
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 })
  t.after(async () => {
    db.close()
    await storage.close()
  })
  const headers = { 'idempotency-key': 'a' }
  db.exec('BEGIN IMMEDIATE')

  const both = [place(1, headers), place(1, headers)]
  const refused = await Promise.race(both)
  db.exec('ROLLBACK')
  const answers = await Promise.all(both)

  assertError(refused, 'conflict')
  assert.match(refused.text, /in flight/)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 409]))
  assert.equal(((await send('/v1/store/orders')).body as unknown[]).length, 1)
})

test('there are no orders at first', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/store/orders')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '[]')
  assert.equal(answer.headers.get('link'), null)
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
