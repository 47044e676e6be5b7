import type { Order, Page, Pet, WithEtag } from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { type Change, petIdOf } from './feed.ts'
import { type Live, useLive } from './live.ts'
import { orderAfter, ordersOf } from './orders.ts'
import { useMay } from './session.ts'

/** The current animal with its ETag, undefined if there is none, and its orders. */
export interface Animal {
  pet: WithEtag<Pet> | undefined
  openOrder: Order | undefined
  /** Those that have ended, the newest first. */
  pastOrders: readonly Order[]
  /** Whether there are older ones. */
  hasMoreOrders: boolean
}

const noOrders: Page<Order> = { items: [], cursor: undefined }

/** An animal and the newest `orderCount` of its orders. */
export function useAnimal(id: string, orderCount: number): Live<Animal> {
  const may = useMay()
  async function read(signal: AbortSignal): Promise<Animal> {
    const petId = toInt64(id)
    const [pet, orders] = await Promise.all([
      service().pets.find(petId, { signal }),
      may('listOrders') ? ordersOf(petId, orderCount, signal) : noOrders,
    ])
    const openOrder = orders.items.find(({ status }) => status === 'placed')
    const pastOrders = orders.items.filter((order) => order !== openOrder)
    return { pet, openOrder, pastOrders, hasMoreOrders: orders.cursor !== undefined }
  }
  return useLive(`${id} ${orderCount}`, read, { concerns: (change) => petIdOf(change) === id, patch: patchOrder })
}

/** The animal itself is read again, for its ETag. */
function patchOrder(animal: Animal, change: Change): Animal {
  const { openOrder, pastOrders } = animal
  const after = openOrder && orderAfter(openOrder, change)
  if (after === undefined || after === openOrder) return animal
  if (after.status === 'placed') return { ...animal, openOrder: after }
  return { ...animal, openOrder: undefined, pastOrders: [after, ...pastOrders] }
}
