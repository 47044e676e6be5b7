import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../src/inventory/webhooks.ts'
import {
  addFailure,
  forgetFailures,
  newState,
  toPosition,
  wants,
  wantsSame,
} from '../../src/webhooks/endpoint-state.ts'

const endpoint: Endpoint = {
  id: 7n,
  url: 'https://shop.example/',
  format: 'json',
  secret: 'whsec_',
  startsAfter: 10n,
  activeSince: 100,
}
const event = { id: 17n, type: 'petstore.pet.created', at: 5, body: () => '{}' } as const
const stored = { webhookId: 7n, eventId: 15n, attempts: 2, failingSince: 100, nextAttemptAt: 300 }
const failing = { attempts: 2, failingSince: 100, shopFailingSince: 100, nextAttemptAt: 300 }

test('an endpoint goes on where it was, with its failures', () => {
  assert.deepEqual(newState(endpoint, stored, 20n), {
    endpoint,
    position: 15n,
    notedPosition: 15n,
    phase: 'idle',
    ...failing,
  })
  assert.equal(newState(endpoint, { ...stored, eventId: 10n }, 20n).attempts, 2)
})

for (const [why, given, position] of [
  ['is new', undefined, 10n],
  ['did not fail', { ...stored, attempts: 0 }, 15n],
  ['was enabled again after its events', { ...stored, eventId: 9n }, 10n],
  ['failed at another address', { ...stored, failingSince: 99 }, 15n],
] as const) {
  test(`an endpoint that ${why} has no failures`, () => {
    const state = newState(endpoint, given, 20n)

    assert.deepEqual(state, {
      endpoint,
      position,
      notedPosition: given?.eventId ?? 0n,
      attempts: 0,
      phase: 'idle',
    })
  })
}

test('an endpoint of an empty shop starts with its first event', () => {
  const state = newState({ ...endpoint, startsAfter: 0n }, undefined, 0n)

  assert.deepEqual([state.position, state.attempts], [0n, 0])
})

test('a position after the head is of a lost history, and the endpoint goes on from the head', () => {
  assert.equal(newState(endpoint, stored, 14n).position, 14n)
  assert.equal(newState(endpoint, stored, 16n).position, 15n)
  assert.equal(newState(endpoint, stored, 5n).position, 10n)
})

test('an endpoint wants every event, or those of its types', () => {
  const isWanted = (types?: ReadonlySet<string>) =>
    wants(newState({ ...endpoint, ...(types && { types: types as never }) }, undefined, 20n))(event)

  assert.deepEqual(
    [isWanted(), isWanted(new Set(['petstore.pet.created'])), isWanted(new Set(['petstore.pet.deleted']))],
    [true, true, false],
  )
})

test('a position is stored with its failures in the time of the shop, and without any if there are none', () => {
  const state = newState(endpoint, stored, 20n)
  state.failingSince = 1

  assert.deepEqual(toPosition(state), stored)
  forgetFailures(state)
  assert.deepEqual(toPosition(state), { webhookId: 7n, eventId: 15n, attempts: 0 })
  assert.deepEqual([state.failingSince, state.shopFailingSince, state.nextAttemptAt], [undefined, undefined, undefined])
})

test('failures count from the first, by both clocks, also if that of the shop is set back', () => {
  const state = newState(endpoint, undefined, 20n)
  const failures = [200, 300, 150].map((shopAt) => {
    addFailure(state, 50, shopAt)
    return [state.attempts, state.failingSince, state.shopFailingSince]
  })

  assert.deepEqual(failures, [
    [1, 50, 200],
    [2, 50, 200],
    [3, 50, 150],
  ])
})

test('two versions of an endpoint want the same events if both want all, or the same types in any order', () => {
  const created = 'petstore.pet.created'
  const deleted = 'petstore.pet.deleted'
  const wanting = (...types: (typeof created | typeof deleted)[]): Endpoint => ({ ...endpoint, types: new Set(types) })

  assert.ok(wantsSame(endpoint, endpoint))
  assert.ok(wantsSame(wanting(created, deleted), wanting(deleted, created)))
  assert.ok(!wantsSame(endpoint, wanting(created)))
  assert.ok(!wantsSame(wanting(created), endpoint))
  assert.ok(!wantsSame(wanting(created), wanting(created, deleted)))
  assert.ok(!wantsSame(wanting(created), wanting(deleted)))
})
