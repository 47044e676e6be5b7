import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Animal, WireEvent } from './client.ts'
import { compare, differences, emptyLedger, type Shop } from './ledger.ts'

// A ledger that never finds a fault proves nothing: each test here plants one.

const rex: Animal = { id: 1, name: 'pet 1', categoryId: 1, status: 'available' }
const pending = { ...rex, status: 'pending' }
const order = { id: 1, petId: 1, status: 'placed', placedAt: 'then', updatedAt: 'then' }

function event(id: number, type: string, data: WireEvent['data']): WireEvent {
  return {
    id: String(id),
    type: `petstore.${type}`,
    subject: 'petId' in data ? `orders/${data.id}` : `pets/${data.id}`,
    data,
  }
}

/** The ledger of a client that created and ordered an animal, and of one that gave up; and a shop that agrees with it. */
function given(): { ledger: ReturnType<typeof emptyLedger>; shop: Shop & { events: WireEvent[] } } {
  const ledger = emptyLedger()
  const life = ledger.begin()
  life.animal = pending
  life.order = order
  life.acknowledged.push(
    { type: 'petstore.pet.created', data: rex },
    { type: 'petstore.pet.updated', data: pending },
    { type: 'petstore.order.placed', data: order },
  )
  ledger.begin().isAbandoned = true
  const events = [event(1, 'pet.created', rex), event(2, 'pet.updated', pending), event(3, 'order.placed', order)]
  return { ledger, shop: { animals: [pending], orders: [order], events } }
}

test('a shop with everything that was acknowledged has no faults, with or without what was given up', () => {
  const { ledger, shop } = given()
  const second = { id: 2, name: 'pet 2', categoryId: 2, status: 'available' }
  const more = {
    ...shop,
    animals: [...shop.animals, second],
    events: [...shop.events, event(4, 'pet.created', second)],
  }

  assert.deepEqual(compare(ledger, shop), [])
  assert.deepEqual(compare(ledger, more), [])
})

const second = { id: 2, name: 'pet 2', categoryId: 2, status: 'available' }
for (const [what, harm, sentence] of [
  ['a lost animal', { animals: [], orders: [], events: [] }, /pet 1 was acknowledged and is lost/],
  ['an animal that is not what it was', { animals: [rex] }, /pet 1 is .*available.* and not .*pending/],
  ['a lost order', { orders: [] }, /the order is nothing/],
  ['an order that is not what it was', { orders: [{ ...order, status: 'completed' }] }, /the order is .*completed/],
  ['an order that nobody placed', { orders: [order, { ...order, id: 2 }] }, /order 2 is there and nobody placed it/],
  ['an animal twice in a list', { animals: [pending, pending] }, /1 animals are listed twice/],
  ['an animal without an event', { animals: [pending, second] }, /animal 2 is there without an event/],
] as const) {
  test(`the ledger notices ${what}`, () => {
    const { ledger, shop } = given()

    assert.match(compare(ledger, { ...shop, ...harm }).join(), sentence)
  })
}

for (const [what, harm, sentence] of [
  ['an event that is missing', (events: WireEvent[]) => events.toSpliced(1, 1), /the events are/],
  [
    'an event that is there twice',
    (events: WireEvent[]) => [...events, event(4, 'pet.updated', pending)],
    /the events are/,
  ],
  [
    'a gap in the ids',
    (events: WireEvent[]) => [events[0] as WireEvent, event(3, 'pet.updated', pending)],
    /event 2 has the id 3/,
  ],
  [
    'an animal that was created twice',
    (events: WireEvent[]) => [...events, event(4, 'pet.created', { ...rex, id: 2 })],
    /created twice/,
  ],
  [
    'an animal that nobody asked for',
    (events: WireEvent[]) => [...events, event(4, 'pet.created', { ...rex, name: 'x', id: 2 })],
    /nobody asked/,
  ],
] as const) {
  test(`the ledger notices ${what} among the events`, () => {
    const { ledger, shop } = given()

    assert.match(compare(ledger, { ...shop, events: harm(shop.events) }).join(), sentence)
  })
}

test('the ledger notices a follower that missed an event, or received a wrong one or one too many', () => {
  const { events } = given().shop
  const [first, second, third] = events as [WireEvent, WireEvent, WireEvent]

  assert.deepEqual(differences(events, events), [])
  for (const received of [
    [first, second],
    [first, third],
    [first, second, second],
    [...events, third],
    [first, second, event(3, 'pet.updated', rex)],
  ]) {
    assert.notDeepEqual(differences(received, events), [])
  }
})
