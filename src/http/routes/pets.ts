import { int64FromText } from '../../contract/int64.ts'
import { createPet, getPet, ListPetsQuery, listPets } from '../../contract/operations/pets.ts'
import { encodePet, isByName, maxSortedByName } from '../../contract/pet.ts'
import type { Caller } from '../../inventory/caller.ts'
import { PetStoreError, tooManyToSort } from '../../inventory/errors.ts'
import { nameKey } from '../../inventory/name-words.ts'
import { endOf } from '../../inventory/page.ts'
import { canCount, type NameCursor, type PetPage, type PetQuery, type Pets } from '../../inventory/pets.ts'
import { entityTag } from '../../inventory/precondition.ts'
import type { Exchange, Route } from '../exchange.ts'
import { createdReply } from '../replies/created.ts'
import { decodeCursor, decodeKeyedCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { resourceReply } from '../replies/etag.ts'
import { encodeBody, wholeBodyOf } from '../replies/page-body.ts'
import { encodedPage, type EncodedPage, pageReply } from '../replies/page.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { petFilterOf } from '../request/pet-filter.ts'
import { preferencesOf } from '../request/prefer.ts'
import { operationRoute } from '../route.ts'

export interface PetRoutesOptions {
  pets: Pets
  inFlight: KeysInFlight
}

export function petRoutes({ pets, inFlight }: PetRoutesOptions): Route[] {
  return [
    operationRoute(
      listPets,
      async ({ query }, exchange) => pageReply(exchange, await readPage(pets, query, exchange)),
      { isCached: true },
    ),

    operationRoute(createPet, async ({ body }, exchange) => {
      const idempotencyKey = idempotencyKeyOf(exchange, () => encodePet({ id: 0n, ...body }))
      const creation = await inFlight(idempotencyKey, () => pets.create(body, idempotencyKey, exchange.author))
      if (creation.outcome === 'mismatch') throw idempotencyMismatch()
      const { outcome, pet } = creation
      return createdReply(exchange, { path: `/pets/${pet.id}`, body: encodePet(pet), outcome })
    }),

    operationRoute(
      getPet,
      async ({ params }) => {
        const id = int64FromText(params.petId)
        const pet = id === undefined ? undefined : await pets.find(id)
        if (pet === undefined) throw new PetStoreError('not_found', 'No animal has this id.')
        return resourceReply(encodePet(pet))
      },
      { isCached: true },
    ),
  ]
}

/** The parameters that choose and sort animals: all but those of the page. */
const choosing = Object.keys(ListPetsQuery.properties).filter((name) => name !== 'limit' && name !== 'cursor')

/** These parameters of a query, encoded for an address. */
function filtersOf(query: object): Record<string, string> {
  const filters: Record<string, string> = {}
  for (const name of choosing) {
    const value = (query as Record<string, string | bigint | undefined>)[name]
    if (value !== undefined) filters[name] = encodeURIComponent(value.toString())
  }
  return filters
}

/** The scope of a cursor of a list of animals. */
export function petScope(query: PetQuery): string {
  const { sort, ...filters } = filtersOf(query)
  const ofSort = sort === undefined || sort === 'id' ? {} : { sort }
  return Object.entries({ ...filters, ...ofSort }).join(' ')
}

async function readPage(pets: Pets, asked: ListPetsQuery, exchange: Exchange): Promise<EncodedPage> {
  const query: PageQuery = petFilterOf(asked)
  const { id, limit } = query
  query.asJson = true
  if (wantsCount(exchange) && canCount(query)) query.withTotal = true
  const scope = petScope(query)
  const read = isByName(query.sort) ? readByName : readById
  const { items, json, total, next } = await read(pets, query, scope, exchange.caller)
  // A page of one id has the tag of its animal, for If-Match.
  const tag = id !== undefined && items[0] !== undefined ? entityTag(encodePet(items[0])) : undefined
  const link = next && nextPage('/pets', filtersOf(asked), limit, { cursor: encodeCursor(next, scope) })
  const body = json === undefined ? encodeBody(items, encodePet, exchange) : wholeBodyOf(json)
  const parts = {
    next: link,
    total: total?.toString(),
    tag,
    isSearch: query.name !== undefined || query.importId !== undefined,
  }
  return encodedPage(body instanceof Promise ? await body : body, parts)
}

type PageQuery = PetQuery & Pick<ListPetsQuery, 'limit' | 'cursor'>

interface ReadPage extends Pick<PetPage, 'items'> {
  json?: Buffer | undefined
  total?: bigint | undefined
  /** Where the next page starts. */
  next: { id: bigint } | NameCursor | undefined
}

async function readById(pets: Pets, query: PageQuery, scope: string, caller: Caller): Promise<ReadPage> {
  const after = decodeCursor(query.cursor, scope)
  const page = await pets.list(query, query.limit, after?.id ?? 0n, caller)
  const { items, json, total } = page
  const id = endOf(page)
  return { items, json, total, next: id === undefined ? undefined : { id } }
}

async function readByName(pets: Pets, query: PageQuery, scope: string, caller: Caller): Promise<ReadPage> {
  const position = decodeKeyedCursor(query.cursor, scope)
  const isBounded = query.name !== undefined || query.ids !== undefined
  if (!isBounded && !(canCount(query) && (await pets.count(query)) <= maxSortedByName)) throw tooManyToSort()
  const asked = { ...query, ...(position && { afterKey: position.key }) }
  const { items, total, more, nextByName } = await pets.list(asked, query.limit, position?.id ?? 0n, caller)
  const last = more ? items.at(-1) : undefined
  return { items, total, next: nextByName ?? (last && { id: last.id, key: nameKey(last.name) }) }
}

function wantsCount(exchange: Exchange): boolean {
  return exchange.request.headers.prefer !== undefined && preferencesOf(exchange.request).get('count') === 'exact'
}
