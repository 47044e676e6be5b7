import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAuthor } from '../../src/contract/event.ts'
import { encodedAuthor } from '../../src/http/request/author.ts'
import { newRequestId } from '../../src/http/request/request-id.ts'
import { startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { followEvents, type WireEvent } from '../support/event-stream.ts'

for (const engine of engines) {
  test(`${engine.name}: an event names the key and the request that caused it, in the list and in the stream`, async (t) => {
    const app = await startApp(t, { engine })
    const stream = await followEvents(t, app)
    const { id, secret } = await app.makeKey({ name: 'Ada "at the till" 🐇' })
    const by = (requestId: string) => ({ authorization: `Bearer ${secret}`, 'x-request-id': requestId })
    await app.create({ name: 'Rex', categoryId: 1, status: 'available' }, by('one'))
    await app.sendJson('PATCH /v1/pets/1', { name: 'Max' }, by('two'))
    await app.sendJson('POST /v1/store/orders', { petId: 1 }, by('three'))
    await app.sendJson('PATCH /v1/store/orders/1', { status: 'cancelled' }, by('four'))
    await app.send('/v1/pets/1', { method: 'DELETE', headers: by('five') })
    await stream.until(() => stream.events.length === 7)

    const listed = (await app.send('/v1/events')).body as WireEvent[]

    const authors = listed.map(({ keyid, keyname, requestid }) => [keyid, keyname, requestid])
    const requests = ['one', 'two', 'three', 'three', 'four', 'four', 'five']
    assert.deepEqual(
      authors,
      requests.map((request) => [id, 'Ada "at the till" 🐇', request]),
    )
    assert.deepEqual(stream.events, listed)
  })
}

test('a request without an id of its own is named by the id of its response', async (t) => {
  const app = await startApp(t)

  const created = await app.create({ name: 'Rex', categoryId: 1 })

  const [event] = (await app.send('/v1/events')).body as WireEvent[]
  assert.equal(event?.requestid, created.headers.get('x-request-id'))
})

test('a replayed request leaves the author of the first', async (t) => {
  const app = await startApp(t)
  const again = (requestId: string) => ({ 'idempotency-key': 'a', 'x-request-id': requestId })
  await app.create({ name: 'Rex', categoryId: 1 }, again('first'))

  await app.create({ name: 'Rex', categoryId: 1 }, again('second'))

  const events = (await app.send('/v1/events')).body as WireEvent[]
  assert.deepEqual(
    events.map(({ requestid }) => requestid),
    ['first'],
  )
})

test('an event keeps the name of a key that is revoked', async (t) => {
  const app = await startApp(t)
  const { id, secret } = await app.makeKey({ name: 'Ada' })
  await app.create({ name: 'Rex', categoryId: 1 }, { authorization: `Bearer ${secret}` })

  await app.storage.keys.revoke(id, Date.now())

  const [event] = (await app.send('/v1/events')).body as WireEvent[]
  assert.equal(event?.keyname, 'Ada')
})

test('the author of a request is encoded as any author', () => {
  const key = { id: 'key_ada', name: 'Ada "at the till" \\ 🐇', permission: 'write', createdAt: 0 } as const

  for (const requestId of ['r-1', newRequestId()]) {
    assert.equal(encodedAuthor(key, requestId), encodeAuthor({ keyId: key.id, keyName: key.name, requestId }))
  }
})
