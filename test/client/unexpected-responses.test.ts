import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError, isPetStoreError, PetStore, UnexpectedResponseError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import type { MadeUpAnswer } from '../support/faulty-proxy.ts'
import { htmlAnswer, jsonAnswer } from '../support/made-up-answers.ts'
import { streamingServer } from '../support/streaming-server.ts'

const emptyJson = (status: number): MadeUpAnswer => ({ ...jsonAnswer(status, null), body: '' })

for (const [name, answer] of [
  ['a page of HTML', htmlAnswer(200)],
  ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/v1/pets' } }],
  ["somebody else's 404", htmlAnswer(404)],
  ['a refusal in JSON without a body', emptyJson(401)],
  ['a refusal in JSON of another kind', jsonAnswer(403, { error: 'Forbidden' })],
  ['a 500 in JSON that is cut off', { ...jsonAnswer(500, null), body: '{"code":' }],
] as const) {
  test(`${name} is an unexpected response and not retried`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next(answer)

    const isUnexpected = (error: unknown) =>
      error instanceof UnexpectedResponseError && error.status === answer.status && error.attempts === 1

    await assert.rejects(petstore.pets.find(1), isUnexpected)
  })
}

test('a refusal without a body did nothing', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next(emptyJson(401))

  await assert.rejects(
    petstore.pets.create({ name: 'Rex', categoryId: 1 }),
    (error) => error instanceof CallError && error.attempts === 1 && !error.mayHaveSucceeded,
  )
})

const calls = {
  find: (petstore: PetStore) => petstore.pets.find(1),
  get: (petstore: PetStore) => petstore.pets.get(1),
  count: (petstore: PetStore) => petstore.pets.count(),
  list: (petstore: PetStore) => Array.fromAsync(petstore.pets.list()),
  create: (petstore: PetStore) => petstore.pets.create({ name: 'Rex', categoryId: 1 }),
  update: (petstore: PetStore) => petstore.pets.update(1, { name: 'Max' }),
  delete: (petstore: PetStore) => petstore.pets.delete(1),
  place: (petstore: PetStore) => petstore.orders.place({ petId: 1 }),
  put: (petstore: PetStore) => petstore.categories.put(1, { name: 'Dogs' }),
  events: (petstore: PetStore) => Array.fromAsync(petstore.events.list()),
}
const rex = { id: 1, name: 'Rex', categoryId: 1 }
const order = { id: 1, petId: 1, status: 'placed', placedAt: '2026-11-15T09:30:00Z', updatedAt: '2026-11-15T09:30:00Z' }
const event = {
  specversion: '1.0',
  id: '1',
  source: '/v1',
  type: 'petstore.pet.created',
  subject: 'pets/1',
  time: '2026-11-15T09:30:00Z',
  datacontenttype: 'application/json',
  sequence: '0000000000000000001',
  keyname: 'till',
  data: rex,
}
const wrongShapes: [call: keyof typeof calls, ...bodies: unknown[]][] = [
  ['find', null, {}, [null], [5], [{}], [{ ...rex, id: '1' }]],
  ['get', null, 5, 'Rex', [rex], {}, { id: 1 }, { ...rex, id: '1' }, { ...rex, id: 1.5 }, { ...rex, categoryId: null }],
  ['count', []],
  ['list', null, 5, rex, [null], [[]], [{ id: 1 }]],
  ['create', null, 5, [], {}],
  ['update', null, 5, [], {}],
  ['delete', null, {}],
  ['place', null, 5, rex, { ...order, petId: '1' }],
  ['put', null, 5],
  [
    'events',
    null,
    [rex],
    [{ ...event, data: null }],
    [{ ...event, data: { ...rex, id: '1' } }],
    [{ ...event, data: {} }],
  ],
]
for (const [call, ...bodies] of wrongShapes) {
  for (const body of bodies) {
    test(`200 ${JSON.stringify(body)} is not a valid response to ${call}`, async (t) => {
      const { petstore, proxy } = await startClient(t)
      proxy.next(jsonAnswer(200, body))

      await assert.rejects(calls[call](petstore), UnexpectedResponseError)
      assert.equal(proxy.requests.length, 1)
    })
  }
}

test('an event as the service sends it is a valid response to events', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next(jsonAnswer(200, [event]))

  assert.equal((await petstore.events.list().toArray()).length, 1)
})

for (const id of ['1e400', '1e20', '-1e400']) {
  test(`an id of ${id} is refused: it would be rounded`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next({ ...jsonAnswer(200, null), body: `{"id":${id},"name":"Rex","categoryId":1}` })

    await assert.rejects(petstore.pets.get(1), UnexpectedResponseError)
  })
}

for (const [what, body] of [
  ['a text', 'Hello'],
  ['an object that never ends', '{"id":1,"name":"Rex"'],
  ['JSON with something behind it', `${JSON.stringify(rex)}x`],
]) {
  test(`a whole body that is not JSON is an unexpected response and not retried: ${what}`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next({ ...jsonAnswer(200, null, { 'content-length': String(body?.length) }), body: body ?? '' })

    await assert.rejects(petstore.pets.get(1), (error) => {
      assert.ok(error instanceof UnexpectedResponseError)
      assert.match(error.message, /is not JSON/)
      return error.attempts === 1
    })
  })
}

/** A runtime that does not detect a cut body. */
function cutting(bodies: string[], more: Record<string, string>) {
  const headers = new Headers({ 'content-type': 'application/json', ...more })
  const fetch = async () => ({ ok: true, status: 200, headers, body: null, text: async () => bodies.shift() ?? '' })
  return new PetStore({ baseUrl: 'http://shop.example/v1', apiKey: 'key', fetch, retry: { baseDelayMs: 1 } })
}

for (const [what, body, headers] of [
  ['by its length', '[] [', { 'content-length': '41' }],
  ['in an object', '{"id":1,"name":"R}}', {}],
  ['in an escape', '[{"id":1,"name":"\\"]]\\', {}],
  ['in an array', '[{"id":1,"name":"Rex","categoryId":1},', { 'content-length': '9', 'content-encoding': 'gzip' }],
  ['before its first byte', '', {}],
] as const) {
  test(`a body that is cut is read again: ${what}`, async () => {
    const bodies = [body, '[]']

    assert.deepEqual(await cutting(bodies, headers).pets.list().toArray(), [])
    assert.equal(bodies.length, 0)
  })
}

for (const body of ['Hello', '<p>{}</p>', "[{'id':1}]", '{"id":1}]']) {
  test(`a body of unknown length that cannot be the beginning of JSON is not read again: ${body}`, async () => {
    const bodies = [body, '[]']

    await assert.rejects(cutting(bodies, {}).pets.list().toArray(), UnexpectedResponseError)
    assert.equal(bodies.length, 1)
  })
}

for (const count of ['abc', '', '-1', '1.5', '99999999999999999999']) {
  test(`X-Total-Count: ${count} is refused`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next(jsonAnswer(200, [], { 'x-total-count': count }))

    await assert.rejects(petstore.pets.count(), UnexpectedResponseError)
    proxy.next(jsonAnswer(200, [], { 'x-total-count': count }))
    await assert.rejects(petstore.pets.list({}, { count: true }).page(), UnexpectedResponseError)
  })
}

test('find refuses another animal than the requested one', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next(jsonAnswer(200, [rex]), jsonAnswer(200, [rex, { ...rex, id: 2 }]))

  await assert.rejects(petstore.pets.find(2), UnexpectedResponseError)
  await assert.rejects(petstore.pets.find(1), UnexpectedResponseError)
})

test('a baseUrl without /v1 is not_found, and one of another server is an unexpected response', async (t) => {
  const { service } = await startClient(t)
  const { origin } = await streamingServer(t, ({ response }) => response.end(), { 'content-type': 'text/html' })
  const find = (baseUrl: string) => new PetStore({ baseUrl, apiKey: service.key }).pets.find(1)

  await assert.rejects(find(service.origin), (error) => isPetStoreError(error, 'not_found'))
  await assert.rejects(find(origin), UnexpectedResponseError)
})
