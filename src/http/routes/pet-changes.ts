import type { FastifyRequest } from 'fastify'
import { int64FromText } from '../../contract/int64.ts'
import { encodePet } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations.ts'
import { deletePet, updatePet } from '../../contract/operations/pets.ts'
import { PetChange } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Pets, Refusal } from '../../inventory/pets.ts'
import { sendJson } from '../replies/json-reply.ts'
import { etagOf, expectedBy } from '../replies/etag.ts'
import type { App } from '../fastify-types.ts'
import { parseBody, requireMergePatch } from '../gates/json-body.ts'

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
      onRequest: requireMergePatch,
      preValidation: parseBody,
    },
    async (request, reply) => {
      const update = await pets.update(idOf(request), request.body, expectedBy(request))
      if (update.outcome !== 'updated') throw refused(update)
      const body = encodePet(update.pet)
      reply.header('etag', etagOf(body)).header('cache-control', 'private, no-cache')
      sendJson(reply, body)
      return reply
    },
  )
}

function deletePetRoute(app: App, pets: Pets): void {
  app.delete<OnePet>('/pets/:petId', { config: { operation: deletePet } }, async (request, reply) => {
    const removal = await pets.remove(idOf(request), expectedBy(request))
    if (removal.outcome !== 'removed') throw refused(removal)
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}

function idOf({ params }: FastifyRequest<OnePet>): bigint {
  const id = int64FromText(params.petId)
  if (id === undefined) throw refused({ outcome: 'missing' })
  return id
}

function refused({ outcome }: Refusal): PetStoreError {
  switch (outcome) {
    case 'missing':
      return new PetStoreError('not_found', 'No animal has this id.')
    case 'unexpected':
      return new PetStoreError('precondition_failed', 'The animal has changed since it was read: read it again.')
    case 'ordered':
      return new PetStoreError('conflict', 'The animal has an open order: complete or cancel that first.')
  }
}
