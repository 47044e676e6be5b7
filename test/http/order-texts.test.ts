import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const noon = Date.UTC(2027, 0, 1, 12)
const times = '"placedAt":"2027-01-01T12:00:00.000Z","updatedAt":"2027-01-01T12:00:00.000Z"'

/** A shop with an available animal. */
async function startShop(t: TestContext) {
  const app = await startApp(t, { clock: () => noon })
  await app.storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  return {
    ...app,
    place: (texts: object, headers?: Record<string, string>) =>
      app.sendJson('POST /v1/store/orders', { petId: 1, ...texts }, headers),
    change: (change: object, headers?: Record<string, string>) =>
      app.sendJson('PATCH /v1/store/orders/1', change, headers),
  }
}

test('an order has the customer and the note that it was placed with, wherever it is read', async (t) => {
  const { place, send } = await startShop(t)

  const answer = await place({ customer: 'Ada "Countess" Lovelace', note: 'two\nlines' })

  const texts = '"customer":"Ada \\"Countess\\" Lovelace","note":"two\\nlines"'
  assert.equal(answer.status, 201)
  assert.equal(answer.text, `{"id":1,"petId":1,"status":"placed",${times},${texts}}`)
  assert.equal((await send('/v1/store/orders/1')).text, answer.text)
  assert.equal((await send('/v1/store/orders')).text, `[${answer.text}]`)
})

test('the texts of an order can be changed and removed, and each change gives it another ETag', async (t) => {
  const { place, change, send } = await startShop(t)
  const placed = await place({ customer: 'Ada', note: 'Saturday' })

  const changed = await change({ note: 'Sunday' })
  const removed = await change({ customer: null, note: null })
  const unchanged = await change({})

  assert.deepEqual([changed.status, removed.status, unchanged.status], [200, 200, 200])
  assert.equal(changed.text, `{"id":1,"petId":1,"status":"placed",${times},"customer":"Ada","note":"Sunday"}`)
  assert.equal(removed.text, `{"id":1,"petId":1,"status":"placed",${times}}`)
  assert.equal(unchanged.text, removed.text)
  const tags = [placed, changed, removed].map(({ headers }) => headers.get('etag'))
  assert.equal(new Set(tags).size, 3)
  assert.equal((await send('/v1/store/orders/1')).headers.get('etag'), tags[2])
})

test('one change closes an order and describes it', async (t) => {
  const { place, change, send } = await startShop(t)
  await place({ note: 'Saturday' })

  const answer = await change({ status: 'completed', customer: 'Ada', note: null })

  assert.equal(answer.text, `{"id":1,"petId":1,"status":"completed",${times},"customer":"Ada"}`)
  assert.equal(((await send('/v1/pets/1')).body as { status: string }).status, 'sold')
})

test('the note of a closed order can be corrected, its status cannot', async (t) => {
  const { place, change, send } = await startShop(t)
  await place({ note: 'Saturday' })
  await change({ status: 'cancelled' })

  const corrected = await change({ note: 'Cancelled by phone' })
  const refused = await change({ status: 'completed', note: 'Sold' })

  assert.equal(corrected.status, 200)
  assertError(refused, 'conflict')
  assert.equal((await send('/v1/store/orders/1')).text, corrected.text)
})

test('the same Idempotency-Key with another customer or note is a mismatch', async (t) => {
  const { place, send } = await startShop(t)
  const headers = { 'idempotency-key': 'a' }
  const first = await place({ customer: 'Ada', note: 'Saturday' }, headers)

  const again = await place({ note: 'Saturday', customer: 'Ada' }, headers)
  const others = [{}, { customer: 'Ada' }, { note: 'Saturday' }, { customer: 'Saturday', note: 'Ada' }]

  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  for (const texts of others) assertError(await place(texts, headers), 'idempotency_mismatch')
  assert.equal((await send('/v1/store/orders')).text, `[${first.text}]`)
})

test('a change of the texts honours If-Match', async (t) => {
  const { place, change } = await startShop(t)
  const read = { 'if-match': (await place({ customer: 'Ada' })).headers.get('etag') ?? '' }

  const first = await change({ note: 'Saturday' }, read)
  const second = await change({ note: 'Sunday' }, read)

  assert.equal(first.status, 200)
  assertError(second, 'precondition_failed')
})

test('events tell of an order without its customer and note', async (t) => {
  const { place, change, send } = await startShop(t)
  await place({ customer: 'Ada Lovelace', note: 'Saturday' })
  await change({ customer: 'Bob' })
  await change({ status: 'completed', note: 'Sunday' })

  const { text, body } = await send('/v1/events?after=0')

  assert.deepEqual(
    (body as { type: string }[]).map(({ type }) => type),
    ['pet.created', 'pet.updated', 'order.placed', 'pet.updated', 'order.completed'].map((type) => `petstore.${type}`),
  )
  assert.doesNotMatch(text, /Ada|Bob|Saturday|Sunday|customer|note/)
})

for (const [name, longest] of [
  ['customer', 200],
  ['note', 1000],
] as const) {
  test(`${name} may have ${longest} characters of any kind and is kept exactly as sent`, async (t) => {
    const { place, change } = await startShop(t)
    await place({})

    for (const text of ['x'.repeat(longest), '🐇'.repeat(longest), ' e\u0301 ', '\u0001\u007f', 'עדה', '__proto__']) {
      const answer = await change({ [name]: text })
      assert.equal((answer.body as Record<string, unknown>)[name], text)
    }
  })

  for (const text of ['', ' \n\u0085', 'a\0b', 'x'.repeat(longest + 1), 5, ['Ada'], {}]) {
    test(`${name} cannot be ${JSON.stringify(text).slice(0, 20)}`, async (t) => {
      const { place, change, send } = await startShop(t)

      const refused = await place({ [name]: text })
      const placed = await place({})
      const unchanged = await change({ [name]: text })

      for (const answer of [refused, unchanged]) {
        assertError(answer, 'invalid_body')
        assert.match((answer.body as { message: string }).message, new RegExp(`^${name} must be a string`))
      }
      assert.equal((await send('/v1/store/orders')).text, `[${placed.text}]`)
    })
  }

  test(`placeOrder refuses a ${name} of null: there is nothing to remove`, async (t) => {
    const { place } = await startShop(t)

    assertError(await place({ [name]: null }), 'invalid_body')
  })
}
