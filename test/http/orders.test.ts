import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startAppOn } from '../support/app.ts'
import { engines, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { unknownIds } from '../support/unknown-ids.ts'
import { noon, startShop } from '../support/order-requests.ts'

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
