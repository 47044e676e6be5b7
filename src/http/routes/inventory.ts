import { encodeInventory } from '../../contract/inventory.ts'
import { getInventory } from '../../contract/operations/inventory.ts'
import type { Pets } from '../../inventory/pets.ts'
import type { Route } from '../exchange.ts'
import { textBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { operationRoute } from '../route.ts'

export function inventoryRoutes(pets: Pets): Route[] {
  return [
    operationRoute(
      getInventory,
      async ({ query }, exchange) =>
        pageReply(exchange, encodedPage(textBody(encodeInventory(await pets.inventory(query.limit))))),
      { isCached: true },
    ),
  ]
}
