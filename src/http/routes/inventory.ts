import { encodeInventory } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import { getInventory, GetInventoryQuery } from '../../contract/operations/inventory.ts'
import type { Pets } from '../../inventory/pets.ts'
import { queryReader } from '../direct/read.ts'
import { pageCache } from '../cache/page-cache.ts'
import type { ResponseCache } from '../direct/response-cache.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'
import type { App } from '../fastify-types.ts'
import { textBody } from '../replies/page-body.ts'
import { encodedPage, pageResponse } from '../replies/page.ts'

export interface InventoryRouteOptions {
  pets: Pets
  cache: VersionedCache
  responses: ResponseCache
  offer: Offer
}

const maxCachedBytes = 1024 * 1024

export function inventoryRoute(app: App, { pets, cache, responses, offer }: InventoryRouteOptions): void {
  if (!isOffered(getInventory, offer)) return
  const sendCached = pageCache(cache, maxCachedBytes)
  const queryOf = queryReader('/v1/store/inventory', GetInventoryQuery)
  const read = async (limit: number) => encodedPage(textBody(encodeInventory(await pets.inventory(limit))))

  const options = { schema: { querystring: GetInventoryQuery }, config: { operation: getInventory } }
  app.get('/store/inventory', options, (request, reply) => {
    const { limit } = request.query
    sendCached(request, reply, String(limit), () => read(limit))
  })

  responses.add({
    operation: getInventory,
    route: '/v1/store/inventory',
    prepare(url) {
      const query = queryOf(url)
      return query && (async (base, accepted) => pageResponse(await read(query.limit), base, accepted))
    },
  })
}
