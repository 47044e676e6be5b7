import type { FastifyRequest } from 'fastify'
import { int64FromText } from '../../contract/int64.ts'
import { encodePet } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import { deletePet, updatePet } from '../../contract/operations/pets.ts'
import { PetChange } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Pets, Refusal } from '../../inventory/pets.ts'
import type { App } from '../fastify-types.ts'
import { authorOf } from '../request/author.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { sendTagged } from '../replies/etag.ts'

interface OnePet {
  Params: { petId: string }
}

export interface PetChangeRoutesOptions {
  pets: Pets
  offer: Offer
}

export function petChangeRoutes(app: App, { pets, offer }: PetChangeRoutesOptions): void {
  if (isOffered(updatePet, offer)) updatePetRoute(app, pets)
  if (isOffered(deletePet, offer)) deletePetRoute(app, pets)
}

function updatePetRoute(app: App, pets: Pets): void {
  app.patch<OnePet & { Body: PetChange }>(
    '/pets/:petId',
    {
      schema: { body: PetChange },
      config: { operation: updatePet },
    },
    async (request, reply) => {
      const update = await pets.update(idOf(request), request.body, preconditionOf(request), authorOf(request))
      if (update.outcome !== 'updated') throw refusalOf(request, update)
      sendTagged(reply, encodePet(update.pet))
      return reply
    },
  )
}

function deletePetRoute(app: App, pets: Pets): void {
  app.delete<OnePet>('/pets/:petId', { config: { operation: deletePet } }, async (request, reply) => {
    const removal = await pets.remove(idOf(request), preconditionOf(request), authorOf(request))
    if (removal.outcome !== 'removed') throw refusalOf(request, removal)
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}

function idOf(request: FastifyRequest<OnePet>): bigint {
  const id = int64FromText(request.params.petId)
  if (id === undefined) throw refusalOf(request, { outcome: 'missing' })
  return id
}

function refusalOf(request: FastifyRequest, { outcome }: Refusal): PetStoreError {
  switch (outcome) {
    case 'missing':
      return new PetStoreError('not_found', 'No animal has this id.')
    case 'unmet':
      return preconditionFailed(request, 'animal')
    case 'ordered':
      return new PetStoreError('conflict', 'The animal has an open order: complete or cancel that first.')
  }
}
