import { type AboutAnimal, animalModel } from './animal-model.ts'
import { type Anomaly, type Call, type FeedEvent, isDone, isRead, keyOf } from './history.ts'
import { linearize } from './linearizable.ts'
import { smallest } from './shrink.ts'

/**
 * Each animal for itself. The feed says only which writes without an answer were carried out, which animals a bulk change
 * or an import touched, and the id of an animal whose creator got none: their order is found without it.
 */
export function checkAnimals(
  calls: readonly Call[],
  feed: readonly FeedEvent[],
  byRequest: Map<string, FeedEvent[]>,
): Anomaly[] {
  const animalOfOrder = new Map<number, number>()
  for (const { type, data } of feed)
    if (type === 'petstore.order.placed') animalOfOrder.set(data.id, (data as { petId: number }).petId)

  const known = calls
    .filter((call) => call.answer !== undefined || (call.isMaybe && byRequest.has(call.id)))
    // A repeated request with an Idempotency-Key gets the answer of the first: it says nothing about the state.
    .filter((call) => keyOf(call) === undefined || !isDone(call) || byRequest.has(call.id))
  const wrong: Anomaly[] = []
  for (const [id, parts] of Map.groupBy(known.flatMap(partsOf), ({ animalId }) => animalId)) {
    const spans = parts.map((part) => ({ ...part.call, operation: part }))
    if (linearize(spans, animalModel) === undefined) {
      const shown = smallest(spans, animalModel, ({ operation }) => isRead(operation.call.ask))
      wrong.push({
        rule: `the answers about animal ${id} fit no order`,
        calls: shown.map(({ operation }) => operation.call),
      })
    }
  }
  return wrong

  function partsOf(call: Call): AboutAnimal[] {
    const { ask, answer } = call
    const events = byRequest.get(call.id) ?? []
    const of = (animalId: number | undefined) =>
      animalId === undefined ? [] : [{ animalId, call: withAnswer(call, events) }]
    switch (ask.kind) {
      case 'get':
      case 'rename':
      case 'remove':
        return of(ask.id)
      case 'order':
        return of(ask.petId)
      case 'close':
        return of(animalOfOrder.get(ask.orderId))
      case 'create':
        return of(answer?.status === 201 ? (answer.body as { id: number }).id : events.at(-1)?.data.id)
      case 'bulk':
      case 'import':
      case 'undo':
        return events.map((event) => ({ animalId: event.data.id, call, event }))
      default:
        return []
    }
  }
}

/** A create or an order without an answer that the feed has: what it made is known from there. */
function withAnswer(call: Call, events: readonly FeedEvent[]): Call {
  if (call.answer !== undefined || (call.ask.kind !== 'create' && call.ask.kind !== 'order')) return call
  const made = events.at(-1)
  return made === undefined ? call : { ...call, answer: { status: 201, body: made.data } }
}
