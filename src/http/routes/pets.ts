import type { FastifyRequest } from 'fastify'
import { int64FromText } from '../../contract/int64.ts'
import { encodePet, encodePets } from '../../contract/json.ts'
import { createPet, getPet, ListPetsQuery, listPets } from '../../contract/operations/pets.ts'
import { NewPet } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { PetQuery, Pets } from '../../inventory/pets.ts'
import { entityTag } from '../../inventory/precondition.ts'
import type { App } from '../fastify-types.ts'
import { baseAddress } from '../replies/base-address.ts'
import { sendResource, sendTagged } from '../replies/etag.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { type KeysInFlight, idempotencyKeyOf } from '../request/idempotency-key.ts'
import { preferencesOf } from '../request/prefer.ts'
import { encodedPage, type EncodedPage, sendPage } from '../replies/page.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'

/** About a few thousand pages. */
const maxCachedBytes = 8 * 1024 * 1024

export interface PetRoutesOptions {
  pets: Pets
  cache: VersionedCache
  responses: ResponseCache
  inFlight: KeysInFlight
}

export function petRoutes(app: App, { pets, cache, responses, inFlight }: PetRoutesOptions): void {
  const pages = cache.section<EncodedPage>(maxCachedBytes, ({ body }) => 2 * body.length + 500)

  app.get('/pets', { schema: { querystring: ListPetsQuery }, config: { operation: listPets } }, (request, reply) => {
    const counted = wantsCount(request)
    const key = cacheKey(request.query, counted)
    const page = pages.get(key)
    if (page !== undefined) {
      sendPage(request, reply, page)
      responses.keep(request, reply, page.body)
      return
    }
    const keep = pages.reading()
    readPage(pets, request.query, counted)
      .then((read) => {
        keep(key, read)
        sendPage(request, reply, read)
      })
      .catch((error: Error) => reply.send(error))
  })

  app.post('/pets', { schema: { body: NewPet }, config: { operation: createPet } }, async (request, reply) => {
    const idempotencyKey = idempotencyKeyOf(request, () => encodePet({ id: 0n, ...request.body }))
    const creation = await inFlight(idempotencyKey, () => pets.create(request.body, idempotencyKey))
    if (creation.outcome === 'mismatch') {
      throw new PetStoreError('idempotency_mismatch', 'This Idempotency-Key was used with another body.')
    }
    if (creation.outcome === 'replayed') reply.header('idempotent-replayed', 'true')
    reply.code(201).header('location', `${baseAddress(request)}/pets/${creation.pet.id}`)
    sendTagged(reply, encodePet(creation.pet))
    return reply
  })

  app.get<{ Params: { petId: string } }>('/pets/:petId', { config: { operation: getPet } }, async (request, reply) => {
    const id = int64FromText(request.params.petId)
    const pet = id === undefined ? undefined : await pets.find(id)
    if (pet === undefined) throw new PetStoreError('not_found', 'No animal has this id.')
    sendResource(request, reply, encodePet(pet))
    return reply
  })
}

/** The scope of a cursor of a list of animals. */
export function petScope({ status, categoryId, id, sort = 'id' }: PetQuery): string {
  return `${status ?? ''} ${categoryId ?? ''} ${id ?? ''}${sort === 'id' ? '' : ` ${sort}`}`
}

async function readPage(pets: Pets, query: ListPetsQuery, counted: boolean): Promise<EncodedPage> {
  const { limit, cursor, status, categoryId, id, sort } = query
  const scope = petScope(query)
  const after = decodeCursor(cursor, scope)
  const { items, more, history } = await pets.list(query, limit, after?.id ?? 0n, after?.history)
  const last = items.at(-1)
  const next =
    more && last !== undefined
      ? nextPage('/pets', { status, categoryId, id, sort }, limit, {
          cursor: encodeCursor({ id: last.id, history }, scope),
        })
      : undefined
  const total = counted ? String(await pets.count(query)) : undefined
  // A page of one id has the tag of its animal, for If-Match.
  const tag = id !== undefined && last !== undefined ? entityTag(encodePet(last)) : undefined
  return encodedPage(encodePets(items), { next, total, tag })
}

function wantsCount(request: FastifyRequest): boolean {
  return request.headers.prefer !== undefined && preferencesOf(request).get('count') === 'exact'
}

function cacheKey(query: ListPetsQuery, counted: boolean): string {
  const { limit, cursor, sort } = query
  // An empty cursor is refused, so it must differ from no cursor.
  return `${limit} ${petScope(query)} ${sort ?? ''} ${cursor === undefined ? '' : `c${cursor}`} ${counted}`
}
