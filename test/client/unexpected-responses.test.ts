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
const wrongShapes: [call: keyof typeof calls, ...bodies: unknown[]][] = [
  ['find', null, {}, [null], [5], [{}]],
  ['get', null, 5, 'Rex', [rex], {}, { id: 1 }],
  ['count', []],
  ['list', null, 5, rex, [null], [[]], [{ id: 1 }]],
  ['create', null, 5, [], {}],
  ['update', null, 5, [], {}],
  ['delete', null, {}],
  ['place', null, 5, rex],
  ['put', null, 5],
  ['events', null, [rex]],
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

for (const count of ['abc', '', '-1', '1.5', '99999999999999999999']) {
  test(`X-Total-Count: ${count} is refused`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next(jsonAnswer(200, [], { 'x-total-count': count }))

    await assert.rejects(petstore.pets.count(), UnexpectedResponseError)
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
