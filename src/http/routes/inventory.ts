import { encodeInventory } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import { getInventory, GetInventoryQuery } from '../../contract/operations/inventory.ts'
import type { Pets } from '../../inventory/pets.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'
import type { App } from '../fastify-types.ts'
import { encodedPage, type EncodedPage, sendPage } from '../replies/page.ts'

export interface InventoryRouteOptions {
  pets: Pets
  cache: VersionedCache
  responses: ResponseCache
  offer: Offer
}

const maxCachedBytes = 1024 * 1024

export function inventoryRoute(app: App, { pets, cache, responses, offer }: InventoryRouteOptions): void {
  if (!isOffered(getInventory, offer)) return
  const pages = cache.section<EncodedPage>(maxCachedBytes, ({ body }) => 2 * body.length + 500)

  const options = { schema: { querystring: GetInventoryQuery }, config: { operation: getInventory } }
  app.get('/store/inventory', options, async (request, reply) => {
    const { limit } = request.query
    const known = pages.get(String(limit))
    if (known !== undefined) {
      sendPage(request, reply, known)
      responses.keep(request, reply, known.body)
      return reply
    }
    const keep = pages.reading()
    const page = encodedPage(encodeInventory(await pets.inventory(limit)), {})
    keep(String(limit), page)
    sendPage(request, reply, page)
    return reply
  })
}
