import { int64FromText } from '../../contract/int64.ts'
import { createPet, getPet, ListPetsQuery, listPets } from '../../contract/operations/pets.ts'
import { encodePet, isByName, maxSortedByName } from '../../contract/pet.ts'
import type { Caller } from '../../inventory/caller.ts'
import { PetStoreError, tooManyToSort } from '../../inventory/errors.ts'
import { nameKey } from '../../inventory/name-words.ts'
import { endOf } from '../../inventory/page.ts'
import { canCount, type NameCursor, type PetPage, type PetQuery, type Pets } from '../../inventory/pets.ts'
import { entityTag } from '../../inventory/precondition.ts'
import type { Exchange, Reply, Route } from '../exchange.ts'
import { createdReply } from '../replies/created.ts'
import { decodeCursor, decodeKeyedCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { resourceReply } from '../replies/etag.ts'
import { encodeBody, wholeBodyOf } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
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
    operationRoute(listPets, ({ query }, exchange) => readPage(pets, query, exchange), { isCached: true }),

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

/** The scope of a cursor of a list of animals. Clients store cursors: a change of its form refuses them. */
export function petScope(query: PetQuery): string {
  const filters = filtersOf(query)
  let scope = ''
  for (const name in filters)
    if (name !== 'sort' || filters[name] !== 'id') scope += `${scope === '' ? '' : ' '}${name},${filters[name]}`
  return scope
}

async function readPage(pets: Pets, asked: ListPetsQuery, exchange: Exchange): Promise<Reply> {
  const query: PageQuery = petFilterOf(asked)
  const { id, limit } = query
  query.asJson = true
  if (wantsCount(exchange) && canCount(query)) query.withTotal = true
  const scope = petScope(query)
  const page = isByName(query.sort)
    ? await readByName(pets, query, scope, exchange.caller)
    : await pets.list(query, limit, decodeCursor(query.cursor, scope)?.id ?? 0n, exchange.caller)
  const { items, json, total } = page
  const next = nextAfter(page, query.sort)
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
  return pageReply(exchange, encodedPage(body instanceof Promise ? await body : body, parts))
}

type PageQuery = PetQuery & Pick<ListPetsQuery, 'limit' | 'cursor'>

/** Where the next page starts. */
function nextAfter(page: PetPage, sort: PetQuery['sort']): { id: bigint } | NameCursor | undefined {
  if (isByName(sort)) {
    const last = page.more ? page.items.at(-1) : undefined
    return page.nextByName ?? (last && { id: last.id, key: nameKey(last.name) })
  }
  const id = endOf(page)
  return id === undefined ? undefined : { id }
}

async function readByName(pets: Pets, query: PageQuery, scope: string, caller: Caller): Promise<PetPage> {
  const position = decodeKeyedCursor(query.cursor, scope)
  const isBounded = query.name !== undefined || query.ids !== undefined
  if (!isBounded && !(canCount(query) && (await pets.count(query)) <= maxSortedByName)) throw tooManyToSort()
  const asked = { ...query, ...(position && { afterKey: position.key }) }
  return pets.list(asked, query.limit, position?.id ?? 0n, caller)
}

function wantsCount(exchange: Exchange): boolean {
  return exchange.request.headers.prefer !== undefined && preferencesOf(exchange.request).get('count') === 'exact'
}
