import type { FastifyRequest } from 'fastify'
import { int64FromText } from '../../contract/int64.ts'
import { encodePet } from '../../contract/json.ts'
import { createPet, getPet, ListPetsQuery, listPets } from '../../contract/operations/pets.ts'
import { isByName, maxSortedByName, NewPet, type Pet } from '../../contract/pet.ts'
import type { Position } from '../../contract/position.ts'
import { PetStoreError, tooManyToSort } from '../../inventory/errors.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import { nameKey } from '../../inventory/name-words.ts'
import type { PetQuery, Pets } from '../../inventory/pets.ts'
import { entityTag } from '../../inventory/precondition.ts'
import type { App } from '../fastify-types.ts'
import { type CreatedParts, sendCreated } from '../replies/created.ts'
import { deprecationHeaders } from '../replies/deprecation.ts'
import { resourceResponse, sendResource } from '../replies/etag.ts'
import type { DirectCreates } from '../direct/create.ts'
import { queryReader } from '../direct/read.ts'
import { pageCache } from '../cache/page-cache.ts'
import type { ResponseCache } from '../direct/response-cache.ts'
import type { Caller } from '../../inventory/caller.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { endOf } from '../../inventory/page.ts'
import { authorOf } from '../request/author.ts'
import { callerOf } from '../request/caller.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { petFilterOf } from '../request/pet-filter.ts'
import { preferencesOf } from '../request/prefer.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, type EncodedPage, pageResponse } from '../replies/page.ts'
import { decodeCursor, decodeKeyedCursor, encodeCursor, type KeyedPosition, nextPage } from '../replies/cursor.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'

/** About a few thousand pages. */
const maxCachedBytes = 8 * 1024 * 1024

export interface PetRoutesOptions {
  pets: Pets
  cache: VersionedCache
  responses: ResponseCache
  creates: DirectCreates
  inFlight: KeysInFlight
}

export function petRoutes(app: App, { pets, cache, responses, creates, inFlight }: PetRoutesOptions): void {
  const sendCached = pageCache(cache, maxCachedBytes)

  app.get('/pets', { schema: { querystring: ListPetsQuery }, config: { operation: listPets } }, (request, reply) => {
    // Matches of a name are not counted: that would take time in proportion to them.
    const counted = request.query.name === undefined && wantsCount(request)
    sendCached(request, reply, cacheKey(request.query, counted), () =>
      readPage(pets, request.query, counted, callerOf(reply.raw, (request.apiKey as ApiKey).id)),
    )
  })

  const identify = (pet: NewPet) => encodePet({ id: 0n, ...pet })

  async function create(
    input: NewPet,
    idempotencyKey: IdempotencyKey | undefined,
    author: string,
  ): Promise<CreatedParts> {
    const creation = await inFlight(idempotencyKey, () => pets.create(input, idempotencyKey, author))
    if (creation.outcome === 'mismatch') throw idempotencyMismatch()
    const { outcome, pet } = creation
    return { path: `/pets/${pet.id}`, body: encodePet(pet), outcome }
  }

  creates.add({ operation: createPet, path: '/v1/pets', body: NewPet, identify, create })
  app.post('/pets', { schema: { body: NewPet }, config: { operation: createPet } }, async (request, reply) => {
    const idempotencyKey = idempotencyKeyOf(request, () => identify(request.body))
    sendCreated(request, reply, await create(request.body, idempotencyKey, authorOf(request)))
    return reply
  })

  app.get<{ Params: { petId: string } }>('/pets/:petId', { config: { operation: getPet } }, async (request, reply) => {
    sendResource(request, reply, await readOne(pets, int64FromText(request.params.petId)))
    return reply
  })

  const queryOf = queryReader('/v1/pets', ListPetsQuery)
  responses.add({
    operation: listPets,
    route: '/v1/pets',
    prepare(url) {
      const query = queryOf(url)
      if (query === undefined) return undefined
      return async (base, accepted, caller) => pageResponse(await readPage(pets, query, false, caller), base, accepted)
    },
  })

  responses.add({
    operation: getPet,
    route: '/v1/pets/:petId',
    prepare(url) {
      const id = idInPath(url)
      if (id === undefined) return undefined
      return async (base) => {
        const { headers, body } = resourceResponse(await readOne(pets, id))
        return { headers: { ...headers, ...deprecationHeaders(getPet.deprecation, base, id) }, body }
      }
    },
    errorHeaders: (url, base) => deprecationHeaders(getPet.deprecation, base, idInPath(url)),
  })
}

const pathOfOne = '/v1/pets/'

function idInPath(url: string): bigint | undefined {
  return url.startsWith(pathOfOne) ? int64FromText(url.slice(pathOfOne.length)) : undefined
}

async function readOne(pets: Pets, id: bigint | undefined): Promise<string> {
  const pet = id === undefined ? undefined : await pets.find(id)
  if (pet === undefined) throw new PetStoreError('not_found', 'No animal has this id.')
  return encodePet(pet)
}

/** The scope of a cursor of a list of animals. */
export function petScope({ status, categoryId, id, name, sort = 'id' }: PetQuery): string {
  const search = name === undefined ? '' : ` name=${encodeURIComponent(name)}`
  return `${status ?? ''} ${categoryId ?? ''} ${id ?? ''}${search}${sort === 'id' ? '' : ` ${sort}`}`
}

async function readPage(pets: Pets, asked: ListPetsQuery, counted: boolean, caller: Caller): Promise<EncodedPage> {
  const query = petFilterOf(asked)
  const { id, limit } = query
  // Both at once: SQLite reads them one after the other, in nearly every case from one snapshot.
  const [{ items, next }, total] = await Promise.all([
    isByName(query.sort) ? readByName(pets, query, caller) : readById(pets, query, caller),
    counted ? pets.count(query).then(String) : undefined,
  ])
  // A page of one id has the tag of its animal, for If-Match.
  const tag = id !== undefined && items[0] !== undefined ? entityTag(encodePet(items[0])) : undefined
  const link = next && nextPage('/pets', filtersOf(asked), limit, { cursor: encodeCursor(next, petScope(query)) })
  const body = encodeBody(items, encodePet)
  const parts = { next: link, total, tag, isSearch: query.name !== undefined }
  return encodedPage(body instanceof Promise ? await body : body, parts)
}

type PageQuery = PetQuery & Pick<ListPetsQuery, 'limit' | 'cursor'>

interface ReadPage {
  items: Pet[]
  /** Where the next page starts. */
  next: Position | KeyedPosition | undefined
}

async function readById(pets: Pets, query: PageQuery, caller: Caller): Promise<ReadPage> {
  const after = decodeCursor(query.cursor, petScope(query))
  const page = await pets.list(query, query.limit, after?.id ?? 0n, after?.history, caller)
  const id = endOf(page)
  return { items: page.items, next: id === undefined ? undefined : { id, history: page.history } }
}

async function readByName(pets: Pets, query: PageQuery, caller: Caller): Promise<ReadPage> {
  const position = decodeKeyedCursor(query.cursor, petScope(query))
  if (query.name === undefined && (await pets.count(query)) > maxSortedByName) throw tooManyToSort()
  const isPartial = position !== undefined && 'partial' in position
  const asked = { ...query, ...(isPartial ? position : position && { afterKey: position.key }) }
  const { id = 0n, history: historyBefore } = isPartial || position === undefined ? {} : position
  const { items, more, history, partial } = await pets.list(asked, query.limit, id, historyBefore, caller)
  if (partial !== undefined) return { items, next: { partial } }
  const last = more ? items.at(-1) : undefined
  return { items, next: last && { id: last.id, history, key: nameKey(last.name) } }
}

function filtersOf({ status, without, categoryId, id, name, sort }: ListPetsQuery) {
  return { status, without, categoryId, id, name: name && encodeURIComponent(name), sort }
}

function wantsCount(request: FastifyRequest): boolean {
  return request.headers.prefer !== undefined && preferencesOf(request).get('count') === 'exact'
}

function cacheKey(query: ListPetsQuery, counted: boolean): string {
  const { limit, cursor, sort } = query
  // `sort=id` and no sort differ in the link to the next page. An empty cursor is refused, so it differs from none.
  return `${limit} ${petScope(petFilterOf(query))} ${sort ?? ''} ${cursor === undefined ? '' : `c${cursor}`} ${counted}`
}
