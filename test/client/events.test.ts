import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isPetStoreError, UnexpectedResponseError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { numberOf } from '../support/event-stream.ts'
import { follower, frame, lastEventIds, rex, take } from '../support/client-events.ts'

test('events arrive in order, each type with its data', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create(rex)
  await petstore.orders.place({ petId: 1 })

  const received = await take(petstore.events.follow({ after: 0 }), 3)

  assert.deepEqual(
    received.map((event) => [numberOf(event), event.type]),
    [
      ['1', 'petstore.pet.created'],
      ['2', 'petstore.pet.updated'],
      ['3', 'petstore.order.placed'],
    ],
  )
  const [created] = received
  assert.equal(created?.type === 'petstore.pet.created' && created.data.categoryId, 9007199254740993n)
})

test('without after, follow starts now', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create(rex)
  const coming = take(petstore.events, 1)
  await proxy.untilAnswered(2)

  await petstore.pets.delete(1)

  assert.deepEqual(
    (await coming).map(({ type, subject }) => [type, subject]),
    [['petstore.pet.deleted', 'pets/1']],
  )
})

test('the history of an animal has its orders and names who made each change', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create(rex)
  await petstore.pets.create(rex)
  await petstore.orders.place({ petId: 2 })

  const history = await Array.fromAsync(petstore.events.list({ petId: 2n, sort: '-id', limit: 1 }))
  const ofOrder = await petstore.events.list({ orderId: 1 }).page()

  assert.deepEqual(history.map(numberOf), ['4', '3', '2'])
  assert.deepEqual(ofOrder.items, [history[0]])
  assert.ok(history.every(({ keyid, keyname, requestid }) => keyid && keyname && requestid))
})

test('a list of events ends with the latest', async (t) => {
  const { petstore } = await startClient(t)
  for (let id = 1; id <= 5; id++) await petstore.pets.create(rex)

  const events = await Array.fromAsync(petstore.events.list({ after: 1, limit: 2 }))

  assert.deepEqual(events.map(numberOf), ['2', '3', '4', '5'])
})

test('a list of events continues from the cursor of a page', async (t) => {
  const { petstore } = await startClient(t)
  for (let id = 1; id <= 5; id++) await petstore.pets.create(rex)

  const pages = await Array.fromAsync(petstore.events.list({ limit: 2 }).pages())
  const rest = await Array.fromAsync(petstore.events.list({ after: pages[1]?.cursor }))

  assert.deepEqual(
    pages.map(({ cursor }) => cursor === undefined),
    [false, false, true],
  )
  assert.deepEqual(rest.map(numberOf), ['5'])
})

test('the id of a stream is sent back unchanged', async (t) => {
  const ids = ['17-k3x9a2', 'a b:c', '0017']
  const { petstore, requests } = await follower(t, ({ count, response }) => {
    response.end(`retry: 1\n\n${frame(String(count), ids[count - 1] ?? '')}`)
  })

  await take(petstore.events.follow({ after: '16-k3x9a2' }), 3)

  assert.deepEqual(lastEventIds(requests), ['16-k3x9a2', '17-k3x9a2', 'a b:c'])
})

test('the id of an event resumes a stream, also in another process', async (t) => {
  const { petstore, requests } = await follower(t, ({ response }) => response.write(frame('17', '17-k3x9a2')))
  const [event] = await take(petstore.events, 1)
  assert.ok(event !== undefined)

  assert.equal(event.id, '17-k3x9a2')
  await take(petstore.events.follow({ after: event.id }), 1)

  assert.deepEqual(lastEventIds(requests), [undefined, '17-k3x9a2'])
})

test('the id of a listed event names its history, and the list goes on after it', async (t) => {
  const { petstore } = await startClient(t)
  for (let count = 0; count < 3; count++) await petstore.pets.create(rex)
  const { items, position = '' } = await petstore.events.list().page()
  const [event] = items
  assert.ok(event !== undefined)

  assert.match(position, /^3-\w{8}$/)
  assert.deepEqual(
    items.map(({ id }) => id),
    ['1', '2', '3'].map((number) => number + position.slice(1)),
  )
  assert.deepEqual(await Array.fromAsync(petstore.events.list({ after: event.id })), items.slice(1))
})

test('the id of a listed event is gone in another history', async (t) => {
  const [one, other] = [await startClient(t), await startClient(t)]
  for (const { petstore } of [one, other]) await petstore.pets.create(rex)
  const { items, position } = await one.petstore.events.list().page()
  const [event] = items
  assert.ok(event !== undefined)

  for (const after of [position, event.id]) {
    await assert.rejects(Array.fromAsync(other.petstore.events.list({ after })), { code: 'gone' })
  }
})

for (const [name, data] of [
  ['not JSON', '{"id":'],
  ['no event', '5'],
] as const) {
  test(`an event that is ${name} ends follow with a client error`, async (t) => {
    const { petstore } = await follower(t, ({ response }) => response.write(`id: 7\ndata: ${data}\n\n`))

    await assert.rejects(petstore.events.follow().next(), UnexpectedResponseError)
  })
}

test('the media type of a stream is case-insensitive and compared exactly', async (t) => {
  const typed = (type: string) =>
    follower(t, ({ response }) => response.write(frame('8')), { 'content-type': type }).then(({ petstore }) => petstore)

  for (const type of ['Text/Event-Stream', 'text/event-stream;charset=utf-8']) {
    assert.equal((await take((await typed(type)).events, 1)).length, 1)
  }
  // Another server at this address may go away again: it is asked until the time for all attempts is over.
  const { events } = await typed('text/event-streams')
  await assert.rejects(take(events.follow({ retry: { totalTimeoutMs: 1000 } }), 1), UnexpectedResponseError)
})

test('follow rejects with gone if events have expired', async (t) => {
  const { petstore, service } = await startClient(t)
  for (let id = 1; id <= 3; id++) await petstore.pets.create(rex)
  await service.storage.events.forget(Date.now() + 1000)

  await assert.rejects(take(petstore.events.follow({ after: 1 }), 1), (error) => isPetStoreError(error, 'gone'))
})

test('follow rejects with gone for an unknown position', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create(rex)

  await assert.rejects(take(petstore.events.follow({ after: '99' }), 1), (error) => isPetStoreError(error, 'gone'))
})

test('an invalid key ends follow', async (t) => {
  const { petstore } = await startClient(t, { apiKey: 'pet_live_unknown' })

  await assert.rejects(take(petstore.events, 1), (error) => isPetStoreError(error, 'unauthorized'))
})

test('an abort rejects with its reason and closes the connection', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const aborter = new AbortController()
  const reason = new Error('Enough.')
  const coming = take(petstore.events.follow({ signal: aborter.signal }), 1)
  await proxy.untilAnswered(1)

  aborter.abort(reason)

  await assert.rejects(coming, (error) => error === reason)
  await proxy.untilClosed()
})

test('leaving the loop closes the connection', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create(rex)

  await take(petstore.events.follow({ after: 0 }), 1)

  await proxy.untilClosed()
})

test('return ends a pending next and closes the connection', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const events = petstore.events.follow()
  const waiting = events.next()
  await proxy.untilAnswered(1)

  assert.deepEqual(await events.return(), { done: true, value: undefined })

  assert.deepEqual(await waiting, { done: true, value: undefined })
  assert.deepEqual(await events.next(), { done: true, value: undefined })
  await proxy.untilClosed()
})

for (const error of [undefined, new Error('Enough.')]) {
  test(`a Readable made from follow is destroyed ${error === undefined ? 'without' : 'with'} an error`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    const readable = Readable.from(petstore.events.follow()).on('error', () => undefined)
    readable.resume()
    await proxy.untilAnswered(1)

    readable.destroy(error)

    await proxy.untilClosed()
    assert.equal(readable.destroyed, true)
  })
}
