import { learn, nextAsk, nothingKnown } from './asks.ts'
import { changeMany } from './bulk.ts'
import { apply, emptyShop, Feed } from './feed.ts'
import {
  type Animal,
  type Answer,
  type Ask,
  type Call,
  type FeedEvent,
  type History,
  type ListFilter,
  type Order,
} from './history.ts'
import { otherShop } from './simulate-others.ts'
import { countOf, hasNextOrder, hasOpenOrder, inventoryOf, ordersOf, pageOf } from './pages.ts'
import { type Random, randomFrom } from './random.ts'

/**
 * A history of a shop that is right: each call takes effect at one moment between its request and its response. Some
 * answers are lost, before or after the effect.
 */
export function simulate(seed: number, steps = 400, clients = 6): History {
  const random = randomFrom(seed)
  const shop = rightShop(randomFrom(seed + 1_000_000))
  const known = nothingKnown()
  const calls: Call[] = []
  const underWay: { call: Call; answer?: Answer }[] = []
  let clock = 1
  let told = 0
  for (let step = 0; step < steps || underWay.length > 0; step++) {
    if (underWay.length < clients && step < steps && random.chance(0.4)) {
      const id = `s${step}`
      const call: Call = {
        id,
        client: 0,
        ask: nextAsk(random, known, id),
        invoked: clock++,
        returned: Infinity,
        invokedMs: clock,
        returnedMs: Infinity,
        isMaybe: false,
      }
      calls.push(call)
      underWay.push({ call })
      continue
    }
    if (random.chance(0.1) && told < shop.feed.length) {
      calls.push(tell(shop.feed.slice(told), clock++))
      told = shop.feed.length
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
      call.returned = call.returnedMs = clock++
      learn(known, call)
    }
  }
  const { feed } = shop
  const streams = [{ who: 'a stream', events: [...feed], mayRepeat: false }]
  return {
    calls,
    feed,
    animals: [...new Feed(feed).last.animals.values()].toSorted((a, b) => a.id - b.id),
    told: streams,
  }
}

/** To a reader who has been connected from the beginning. */
function tell(events: FeedEvent[], returned: number): Call {
  const times = { invoked: 0, invokedMs: 0, returned, returnedMs: returned }
  return {
    id: `t${returned}`,
    client: -1,
    ask: { kind: 'told' },
    ...times,
    answer: { status: 200, body: events },
    isMaybe: false,
  }
}

function rightShop(random: Random) {
  const feed: FeedEvent[] = []
  const state = emptyShop()
  const imports = new Map<string, { animals: number[]; isUndone: boolean }>()
  const others = otherShop(state)
  let lastAnimal = 0
  const missing: Answer = { status: 404, body: {} }
  const refused: Answer = { status: 409, body: {} }

  function write(requestid: string, type: string, data: Animal | Order): void {
    const id = feed.length + 1
    // A day has 30 events.
    const time = `2026-01-${String(1 + Math.floor(id / 30)).padStart(2, '0')}T09:00:00.000Z`
    const event = { id: String(id), type: `petstore.${type}`, subject: '', time, requestid, data }
    feed.push(event)
    apply(state, event)
  }

  function tagged(status: number, body: Animal): Answer {
    return { status, body, etag: JSON.stringify(body) }
  }

  function close(id: string, order: Order, status: 'completed' | 'cancelled'): Answer {
    const animal = state.animals.get(order.petId) as Animal
    write(id, 'pet.updated', { ...animal, status: status === 'completed' ? 'sold' : 'available' })
    write(id, `order.${status}`, { ...order, status })
    return { status: 200, body: others.withCustomer({ ...order, status }) }
  }

  /** With its tag, or 304. */
  function paged({ ifNoneMatch }: { ifNoneMatch?: string }, answer: Answer): Answer {
    const etag = JSON.stringify(answer)
    return ifNoneMatch === etag ? { status: 304, body: undefined, etag } : { ...answer, etag }
  }

  /** A search may end before its page is full, at any animal. The cursor says where. */
  function list(filter: ListFilter): Pick<Answer, 'body' | 'cursor'> {
    const { name, sort = 'id', limit, next } = filter
    const stopped = /^stopped (\d+)$/.exec(next?.cursor ?? '')?.[1]
    const isLater = (one: number, other: number) => (sort === 'id' ? one > other : one < other)
    const rest = pageOf(state, { ...filter, limit: Infinity }).filter(
      ({ id }) => stopped === undefined || isLater(id, Number(stopped)),
    )
    if (name === undefined || sort.endsWith('name') || random.chance(0.3))
      return { body: rest.slice(0, limit), ...(rest.length > limit ? { cursor: 'next' } : {}) }
    const body = rest.slice(0, random.number(Math.min(limit, rest.length + 1)))
    const last = body.at(-1)?.id ?? Number(stopped ?? next?.after?.id ?? (sort === 'id' ? 0 : lastAnimal + 1))
    const following = rest[body.length]?.id ?? (sort === 'id' ? lastAnimal + 1 : 0)
    // Everything up to the next match was looked at.
    const end = random.chance(0.5) ? last : sort === 'id' ? following - 1 : following + 1
    return { body, cursor: `stopped ${end}` }
  }

  function undo(id: string, importId: string): Answer {
    const undone = imports.get(importId)
    if (undone === undefined) return missing
    undone.isUndone = true
    const isChanged = (petId: number) =>
      feed.some(({ type, data }) => type === 'petstore.pet.updated' && data.id === petId)
    const left = undone.animals.flatMap((petId) => state.animals.get(petId) ?? [])
    const keeps = left.filter((animal) => isChanged(animal.id)).map((animal) => ({ id: animal.id, message: '' }))
    for (const animal of left) if (!isChanged(animal.id)) write(id, 'pet.deleted', animal)
    return { status: 200, body: { removed: left.length - keeps.length, kept: keeps.length, keeps } }
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
        if (ask.ifMatch !== undefined && ask.ifMatch !== JSON.stringify(animal)) return { status: 412, body: {} }
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
        others.setCustomer(order.id, ask.customer ?? null)
        return { status: 201, body: others.withCustomer(order) }
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
        return order === undefined ? missing : { status: 200, body: others.withCustomer(order) }
      }
      case 'list': {
        return paged(ask, { status: 200, total: countOf(state, ask.filter), ...list(ask.filter) })
      }
      case 'orders': {
        const cursor = hasNextOrder(state, ask.filter) ? { cursor: 'next' } : {}
        return paged(ask, { status: 200, body: ordersOf(state, ask.filter).map(others.withCustomer), ...cursor })
      }
      case 'inventory':
        return paged(ask, { status: 200, body: others.withNames(inventoryOf(state)) })
      case 'days':
        return paged(ask, { status: 200, body: [...state.days].map(([date, counts]) => ({ date, ...counts })) })
      case 'events':
        return { status: 200, body: feed.slice(ask.after, ask.after + ask.limit) }
      case 'export':
        return { status: 200, body: pageOf(state, { ...ask.filter, limit: Infinity }) }
      case 'exportOrders':
        return { status: 200, body: ordersOf(state, { ...ask.filter, limit: Infinity }).map(others.withCustomer) }
      case 'bulk': {
        const { changes, refusals, ...counts } = changeMany(state, ask, new Set(animals.keys()))
        for (const { type, data } of changes) write(id, type.replace('petstore.', ''), data)
        return { status: 200, body: { ...counts, refusals: refusals.map((refused) => ({ id: refused, message: '' })) } }
      }
      case 'dryRun':
        return { status: 200, body: { added: ask.rows.length, rejected: 0, rejects: [] } }
      case 'undo':
        return undo(id, ask.importId)
      case 'import':
        if (imports.get(ask.importId)?.isUndone === true) return refused
        for (const row of ask.rows) {
          write(id, 'pet.created', { id: ++lastAnimal, ...row })
          const animals = imports.get(ask.importId)?.animals ?? []
          imports.set(ask.importId, { animals: [...animals, lastAnimal], isUndone: false })
        }
        return { status: 200, body: { added: ask.rows.length, rejected: 0, rejects: [] } }
      case 'told':
        throw new Error('Nobody asks to be told.')
      case 'imports': {
        const listed = [...imports].toReversed().map(([importId, { animals, isUndone }]) => {
          return { id: importId, added: animals.length, rejected: 0, ...(isUndone && { undoneAt: '' }) }
        })
        const cursor = listed.length > ask.limit ? { cursor: 'next' } : {}
        return { status: 200, body: listed.slice(0, ask.limit), ...cursor }
      }
      default:
        return others.carryOut(ask)
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
      if (key !== undefined && answer.status < 300) replays.set(key, answer)
      return answer
    },
  }
}
