import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { numberOf, type WireEvent } from '../support/event-stream.ts'

/** Animal 2 is ordered by order 1, which is cancelled: its events are 2 and 4 to 8. */
async function startShop(t: TestContext, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options)
  for (const name of ['Rex', 'Tom', 'Mia']) await app.create({ name, categoryId: 1, status: 'available' })
  await app.sendJson('POST /v1/store/orders', { petId: 2 })
  await app.sendJson('PATCH /v1/store/orders/1', { status: 'cancelled' })
  await app.sendJson('PATCH /v1/pets/2', { name: 'Max' })
  return app
}

for (const engine of engines) {
  test(`${engine.name}: the links of a history lead through all events of the animal, in both directions`, async (t) => {
    const { send } = await startShop(t, { engine })
    const readAll = async (first: string) => {
      const ids: string[] = []
      for (let next: string | undefined = first; next !== undefined; ) {
        const page: Answer = await send(next)
        ids.push(...idsOf(page))
        next = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      return ids
    }

    assert.deepEqual(await readAll('/v1/events?petId=2&limit=4'), ['2', '4', '5', '6', '7', '8'])
    assert.deepEqual(await readAll('/v1/events?petId=2&limit=2&sort=-id'), ['8', '7', '6', '5', '4', '2'])
    assert.deepEqual(await readAll('/v1/events?orderId=1&limit=1'), ['5', '7'])
  })
}

test('a history continues in either direction from the id of an event', async (t) => {
  const { send } = await startShop(t)

  assert.deepEqual(idsOf(await send('/v1/events?petId=2&after=6')), ['7', '8'])
  assert.deepEqual(idsOf(await send('/v1/events?petId=2&after=6&sort=-id')), ['5', '4', '2'])
})

test('an animal that does not exist has no history', async (t) => {
  const { send } = await startShop(t)

  assert.deepEqual(idsOf(await send('/v1/events?petId=9')), [])
  assert.deepEqual(idsOf(await send('/v1/events?orderId=-9223372036854775808')), [])
})

for (const [query, message] of [
  ['petId=x', /petId/],
  ['petId=1.5', /petId/],
  ['petId=1&petId=2', /petId/],
  ['orderId=', /orderId/],
  ['petId=1&orderId=1', /^orderId must not be given together with petId\.$/],
] as const) {
  test(`events?${query} is refused`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send(`/v1/events?${query}`)

    assertError(answer, 'invalid_parameter')
    assert.match(messageOf(answer), message)
  })
}

for (const filter of ['petId', 'orderId']) {
  test(`a stream with ${filter} is refused instead of sending all events`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send(`/v1/events?${filter}=1`, { headers: { accept: 'text/event-stream' } })

    assertError(answer, 'invalid_parameter')
    assert.equal(messageOf(answer), `${filter} must not be given for a stream.`)
  })
}

function idsOf({ body }: Answer): string[] {
  return (body as WireEvent[]).map(numberOf)
}

function messageOf({ body }: Answer): string {
  return (body as { message: string }).message
}
