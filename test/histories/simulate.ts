import { countOf, hasNext, hasOpenOrder, inventoryOf, pageOf } from './answers.ts'
import { learn, nextAsk, nothingKnown } from './asks.ts'
import { Feed, type ShopState } from './feed.ts'
import type { Animal, Answer, Ask, Call, FeedEvent, History, Order } from './history.ts'
import { randomFrom } from './random.ts'

/**
 * A history of a shop that is right: each call takes effect at one moment between its request and its response. Some
 * answers are lost, before or after the effect.
 */
export function simulate(seed: number, steps = 400, clients = 6): History {
  const random = randomFrom(seed)
  const shop = rightShop()
  const known = nothingKnown()
  const calls: Call[] = []
  const underWay: { call: Call; answer?: Answer }[] = []
  let clock = 0
  for (let step = 0; step < steps || underWay.length > 0; step++) {
    if (underWay.length < clients && step < steps && random.chance(0.4)) {
      const id = `s${step}`
      const call: Call = {
        id,
        client: 0,
        ask: nextAsk(random, known, id),
        invoked: clock++,
        returned: Infinity,
        isMaybe: false,
      }
      calls.push(call)
      underWay.push({ call })
      continue
    }
    const index = random.number(underWay.length)
    const entry = underWay[index]
    if (entry === undefined) continue
    const { call } = entry
    const isLost = random.chance(0.02)
    if (entry.answer === undefined && !isLost) {
      entry.answer = shop.carryOut(call.id, call.ask)
      continue
    }
    underWay.splice(index, 1)
    if (isLost) call.isMaybe = true
    else if (entry.answer !== undefined) {
      call.answer = entry.answer
      call.returned = clock++
      learn(known, call)
    }
  }
  return { calls, feed: shop.feed, animals: [...new Feed(shop.feed).last().animals.values()] }
}

function rightShop() {
  const feed: FeedEvent[] = []
  const state: ShopState = { animals: new Map(), orders: new Map() }
  let lastAnimal = 0
  const missing: Answer = { status: 404, body: {} }
  const refused: Answer = { status: 409, body: {} }

  function write(requestid: string, type: string, data: Animal | Order): void {
    feed.push({ id: String(feed.length + 1), type: `petstore.${type}`, subject: '', requestid, data })
    if (type === 'pet.deleted') state.animals.delete(data.id)
    else if (type.startsWith('pet.')) state.animals.set(data.id, data as Animal)
    else state.orders.set(data.id, data as Order)
  }

  function tagged(status: number, body: Animal): Answer {
    return { status, body, etag: JSON.stringify(body) }
  }

  function close(id: string, order: Order, status: 'completed' | 'cancelled'): Answer {
    const animal = state.animals.get(order.petId) as Animal
    write(id, 'pet.updated', { ...animal, status: status === 'completed' ? 'sold' : 'available' })
    write(id, `order.${status}`, { ...order, status })
    return { status: 200, body: { ...order, status } }
  }

  function carryOut(id: string, ask: Ask): Answer {
    const { animals, orders } = state
    switch (ask.kind) {
      case 'create': {
        const animal = { id: ++lastAnimal, ...ask.animal }
        write(id, 'pet.created', animal)
        return tagged(201, animal)
      }
      case 'rename': {
        const animal = animals.get(ask.id)
        if (animal === undefined) return missing
        if (ask.ifMatch !== undefined && ask.ifMatch !== JSON.stringify(animal)) return { status: 412, body: {} }
        write(id, 'pet.updated', { ...animal, name: ask.name })
        return tagged(200, { ...animal, name: ask.name })
      }
      case 'remove': {
        const animal = animals.get(ask.id)
        if (animal === undefined) return missing
        if (hasOpenOrder(state, ask.id)) return refused
        write(id, 'pet.deleted', animal)
        return { status: 204, body: undefined }
      }
      case 'order': {
        const animal = animals.get(ask.petId)
        if (animal?.status !== 'available') return refused
        const order: Order = { id: orders.size + 1, petId: animal.id, status: 'placed' }
        write(id, 'pet.updated', { ...animal, status: 'pending' })
        write(id, 'order.placed', order)
        return { status: 201, body: order }
      }
      case 'close': {
        const order = orders.get(ask.orderId)
        if (order === undefined) return missing
        return order.status === 'placed' ? close(id, order, ask.status) : refused
      }
      case 'get': {
        const animal = animals.get(ask.id)
        if (animal === undefined) return missing
        return ask.ifNoneMatch === JSON.stringify(animal) ? { status: 304, body: undefined } : tagged(200, animal)
      }
      case 'getOrder': {
        const order = orders.get(ask.orderId)
        return order === undefined ? missing : { status: 200, body: order }
      }
      case 'list': {
        const page = pageOf(state, ask.filter)
        const cursor = hasNext(state, ask.filter) ? { cursor: 'next' } : {}
        return { status: 200, body: page, total: countOf(state, ask.filter), ...cursor }
      }
      case 'inventory':
        return { status: 200, body: inventoryOf(state) }
      case 'events':
        return { status: 200, body: feed.slice(ask.after, ask.after + ask.limit) }
    }
  }
  const replays = new Map<string, Answer>()
  return {
    feed,
    carryOut(id: string, ask: Ask): Answer {
      const key = 'idempotencyKey' in ask ? ask.idempotencyKey : undefined
      const earlier = key === undefined ? undefined : replays.get(key)
      if (earlier !== undefined) return earlier
      const answer = carryOut(id, ask)
      if (key !== undefined && answer.status === 201) replays.set(key, answer)
      return answer
    },
  }
}
