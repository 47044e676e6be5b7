import type { Order, Pet, WithEtag } from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { petIdOf } from './feed.ts'
import { type Live, useLive } from './live.ts'
import { openOrderFor } from './orders.ts'
import { useMay } from './session.ts'

/** The current animal with its ETag, undefined if there is none, and its open order, if any. */
export interface Animal {
  pet: WithEtag<Pet> | undefined
  openOrder: Order | undefined
}

export function useAnimal(id: string): Live<Animal> {
  const may = useMay()
  async function read(signal: AbortSignal): Promise<Animal> {
    const petId = toInt64(id)
    const [pet, openOrder] = await Promise.all([
      service().pets.find(petId, { signal }),
      may('listOrders') ? openOrderFor(petId, signal) : undefined,
    ])
    return { pet, openOrder }
  }
  return useLive(id, read, { concerns: (change) => petIdOf(change) === id })
}
