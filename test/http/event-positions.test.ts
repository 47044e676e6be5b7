import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { numberOf, type WireEvent } from '../support/event-stream.ts'

/** `count` animals, an event each. */
async function startShop(t: TestContext, count: number, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options)
  for (let id = 1; id <= count; id++) await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n })
  return app
}

for (const engine of engines) {
  test(`${engine.name}: every ascending list of events has the position to go on from`, async (t) => {
    const { send, storage } = await startShop(t, 3, { engine })

    const pages = ['limit=2', 'after=1', 'after=3', 'petId=2', 'petId=9', 'petId=2&after=3', 'after=0&limit=1']
    const positions: string[] = []
    for (const query of pages) positions.push(positionOf(await send(`/v1/events?${query}`)))
    await storage.events.forget(Date.now() + 1)
    positions.push(positionOf(await send('/v1/events')))

    const [first = ''] = positions
    assert.match(first, /^2-\w{8}$/)
    const history = first.slice(1)
    assert.deepEqual(
      positions,
      ['2', '3', '3', '3', '3', '3', '1', '3'].map((id) => id + history),
    )
  })

  test(`${engine.name}: a reader that goes on from Event-Position gets every event once`, async (t) => {
    const { send, storage } = await startShop(t, 3, { engine })
    const ids: string[] = []
    let position = '0'
    const read = async () => {
      const page = await send(`/v1/events?limit=2&after=${position}`)
      ids.push(...(page.body as WireEvent[]).map(numberOf))
      position = positionOf(page)
    }

    for (let round = 0; round < 3; round++) await read()
    for (let count = 0; count < 2; count++) await storage.pets.create({ name: 'Rex', categoryId: 1n })
    for (let round = 0; round < 2; round++) await read()

    assert.deepEqual(ids, ['1', '2', '3', '4', '5'])
  })

  test(`${engine.name}: the position of any page is gone in another history`, async (t) => {
    const [one, other] = [await startShop(t, 3, { engine }), await startShop(t, 3, { engine })]

    for (const query of ['limit=2', 'after=0', 'after=3', 'petId=9']) {
      const position = positionOf(await one.send(`/v1/events?${query}`))
      assertError(await other.send(`/v1/events?after=${position}`), 'gone')
      assert.equal((await one.send(`/v1/events?after=${position}`)).status, 200)
    }
  })
}

test('an empty shop has the position 0, and a list with the newest first has none', async (t) => {
  const { send, create } = await startApp(t)
  assert.match(positionOf(await send('/v1/events')), /^0(-\w{8})?$/)
  await create({ name: 'Rex', categoryId: 1 })

  assert.equal(positionOf(await send('/v1/events?sort=-id')), 'none')
})

test('HEAD and 304 have the position too', async (t) => {
  const { send } = await startShop(t, 1)
  const page = await send('/v1/events')
  const etag = page.headers.get('etag') ?? ''

  const head = await send('/v1/events', { method: 'HEAD' })
  const unchanged = await send('/v1/events', { headers: { 'if-none-match': etag } })

  assert.equal(unchanged.status, 304)
  assert.match(positionOf(page), /^1-\w{8}$/)
  assert.deepEqual([positionOf(head), positionOf(unchanged)], [positionOf(page), positionOf(page)])
})

function positionOf({ headers }: Answer): string {
  return headers.get('event-position') ?? 'none'
}
