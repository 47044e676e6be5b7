import { useRef } from 'preact/hooks'
import {
  etagOf,
  type Int64,
  isPetStoreError,
  type Order,
  type ShopEvent,
  type WithEtag,
} from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { type Change, isPetChange, petIdOf } from './feed.ts'
import { type Live, useLive } from './live.ts'
import { orderAfter } from './orders.ts'
import { useMay } from './session.ts'

/** An order has an event when it is placed and one when it ends. */
const maxEvents = 10

export interface OrderDetails {
  /** Undefined if there is none. */
  order: WithEtag<Order> | undefined
  /** Of its animal, also if that was deleted. Undefined if nothing is known of it any more. */
  petName: string | undefined
  isPetGone: boolean
  /** The latest first. */
  events: readonly ShopEvent[]
}

export function useOrder(id: string): Live<OrderDetails> {
  const may = useMay()
  const petId = useRef<string>(undefined)

  async function read(signal: AbortSignal): Promise<OrderDetails> {
    const order = await findOrder(toInt64(id), signal)
    if (order === undefined) return { order, petName: undefined, isPetGone: true, events: [] }
    petId.current = String(order.petId)
    const [pet, events] = await Promise.all([
      service().pets.find(order.petId, { signal }),
      may('listEvents') ? latestEvents({ orderId: order.id, limit: maxEvents }, signal) : [],
    ])
    const petName = pet?.name ?? (may('listEvents') ? await lastNameOf(order.petId, signal) : undefined)
    return { order, petName, isPetGone: pet === undefined, events }
  }
  return useLive(id, read, {
    patch: patchDetails,
    concerns: (change) => petIdOf(change) === petId.current || (!isPetChange(change) && String(change.data.id) === id),
  })
}

/** An event has no ETag, which a change of the texts needs: it only causes a read. */
function patchDetails(details: OrderDetails, change: Change): OrderDetails {
  const { order } = details
  if (order === undefined || etagOf(change.data) === undefined) return details
  const after = orderAfter(order, change)
  return after === order ? details : { ...details, order: after }
}

async function findOrder(id: Int64, signal: AbortSignal): Promise<WithEtag<Order> | undefined> {
  try {
    return await service().orders.get(id, { signal })
  } catch (error) {
    if (isPetStoreError(error, 'not_found')) return undefined
    throw error
  }
}

async function latestEvents(
  query: { orderId: Int64; limit: number } | { petId: Int64; limit: number },
  signal: AbortSignal,
): Promise<readonly ShopEvent[]> {
  return (
    await service()
      .events.list({ ...query, sort: '-id' }, { signal })
      .page()
  ).items
}

/** The name of a deleted animal: its last event has it. */
async function lastNameOf(petId: Int64, signal: AbortSignal): Promise<string | undefined> {
  const [last] = await latestEvents({ petId, limit: 1 }, signal)
  return last !== undefined && isPetChange(last) ? last.data.name : undefined
}
