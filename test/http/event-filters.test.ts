import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { numberOf, type WireEvent } from '../support/event-stream.ts'

const noon = Date.UTC(2027, 0, 1, 12)
const second = 1_000

for (const engine of engines) {
  test(`${engine.name}: events are filtered by type, key and time, and links keep the filters`, async (t) => {
    let now = noon
    const { create, sendJson, send, makeKey } = await startApp(t, { engine, clock: () => now })
    const { id: keyid, secret } = await makeKey({ name: 'Till' })
    const till = { authorization: `Bearer ${secret}` }
    for (const headers of [{}, till, till, till]) {
      await create({ name: 'Rex', categoryId: 1 }, headers)
      now += second
    }
    await sendJson('PATCH /v1/pets/1', { name: 'Max' })
    const readAll = async (query: string) => {
      const ids: string[] = []
      for (let next: string | undefined = `/v1/events?${query}`; next !== undefined; ) {
        const page: Answer = await send(next)
        assert.equal(page.status, 200, page.text)
        ids.push(...(page.body as WireEvent[]).map(numberOf))
        next = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      return ids.join(' ')
    }

    assert.equal(await readAll('type=petstore.pet.created&limit=1'), '1 2 3 4')
    assert.equal(await readAll('type=petstore.pet.updated'), '5')
    assert.equal(await readAll('type=petstore.order.placed'), '')
    assert.equal(await readAll(`keyid=${keyid}&limit=1&sort=-id`), '4 3 2')
    assert.equal(await readAll('keyid=key_unknown'), '')
    // From this time on, and before that one.
    assert.equal(await readAll('from=2027-01-01T12:00:01Z&to=2027-01-01T12:00:03Z&limit=1'), '2 3')
    assert.equal(
      await readAll('from=2027-01-01T13:00:01.000000001%2B01:00&to=2027-01-01T12:00:04.0001Z&limit=1'),
      '3 4 5',
    )
    assert.equal(await readAll(`keyid=${keyid}&type=petstore.pet.created&from=2027-01-01T12:00:02Z&petId=3`), '3')
  })
}

test('the position of a page with a filter is the latest event, so that a quiet reader does not expire', async (t) => {
  const { create, send } = await startApp(t)
  for (let count = 0; count < 3; count++) await create({ name: 'Rex', categoryId: 1 })

  const page = await send('/v1/events?type=petstore.pet.deleted')

  assert.equal(page.text, '[]')
  assert.equal(page.headers.get('link'), null)
  assert.match(page.headers.get('event-position') ?? '', /^3-\w{8}$/)
})

for (const [query, message] of [
  ['type=pet.created', /^type must be one of petstore\.pet\.created, /],
  ['type=', /^type must be/],
  ['type=petstore.pet.created&type=petstore.pet.deleted', /type/],
  ['keyid=', /^keyid must be/],
  ['keyid=a%20b', /^keyid must be a string that is the id of an API key\.$/],
  ['from=yesterday', /^from must be a time such as /],
  ['from=2027-02-30T12:00:00Z', /^from must be a time such as /],
  ['to=2027-01-01', /^to must be a time such as /],
  ['to=2027-01-01T12:00:00+01:00', /^to must be a time such as /],
  ['from=2027-01-01T12:00:00Z&to=2027-01-01T12:00:00Z', /^to must be later than from\.$/],
] as const) {
  test(`events?${query} is refused`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send(`/v1/events?${query}`)

    assertError(answer, 'invalid_parameter')
    assert.match((answer.body as { message: string }).message, message)
  })
}

for (const query of [
  'type=petstore.pet.created',
  'keyid=key_a',
  'from=2027-01-01T12:00:00Z',
  'to=2027-01-01T12:00:00Z',
]) {
  test(`a stream with ${query} is refused instead of sending all events`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send(`/v1/events?${query}`, { headers: { accept: 'text/event-stream' } })

    assertError(answer, 'invalid_parameter')
    const name = query.split('=')[0] ?? ''
    assert.equal((answer.body as { message: string }).message, `${name} must not be given for a stream.`)
  })
}
