import { int64FromText } from '../../contract/int64.ts'
import { encodePet } from '../../contract/pet.ts'
import { deletePet, updatePet } from '../../contract/operations/pets.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Pets, Refusal } from '../../inventory/pets.ts'
import type { Exchange, Route } from '../exchange.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { changedReply } from '../replies/etag.ts'
import { emptyReply } from '../replies/json.ts'
import { operationRoute } from '../route.ts'

/** Why an animal is neither changed nor removed. */
export const openOrder = 'The animal has an open order: complete or cancel that first.'

export function petChangeRoutes(pets: Pets): Route[] {
  return [
    operationRoute(updatePet, async ({ params, body }, exchange) => {
      const id = idOf(params.petId, exchange)
      const update = await pets.update(id, body, preconditionOf(exchange.request), exchange.author)
      if (update.outcome !== 'updated') throw refusalOf(exchange, update)
      return changedReply(encodePet(update.pet))
    }),

    operationRoute(deletePet, async ({ params }, exchange) => {
      const id = idOf(params.petId, exchange)
      const removal = await pets.remove(id, preconditionOf(exchange.request), exchange.author)
      if (removal.outcome !== 'removed') throw refusalOf(exchange, removal)
      return emptyReply
    }),
  ]
}

function idOf(petId: string, exchange: Exchange): bigint {
  const id = int64FromText(petId)
  if (id === undefined) throw refusalOf(exchange, { outcome: 'missing' })
  return id
}

function refusalOf(exchange: Exchange, { outcome }: Refusal): PetStoreError {
  switch (outcome) {
    case 'missing':
      return new PetStoreError('not_found', 'No animal has this id.')
    case 'unmet':
      return preconditionFailed(exchange.request, 'animal')
    case 'ordered':
      return new PetStoreError('conflict', openOrder)
  }
}
