import { encodeInventory, type Inventory } from '../../contract/inventory.ts'
import { getInventory, type GetInventoryQuery } from '../../contract/operations/inventory.ts'
import type { Caller } from '../../inventory/caller.ts'
import { endOf } from '../../inventory/page.ts'
import type { Storage } from '../../inventory/storage.ts'
import type { Route } from '../exchange.ts'
import { decodeCursor, decodeSizeCursor, encodeCursor, encodeSizeCursor, nextPage } from '../replies/cursor.ts'
import { wholeBodyOf } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { operationRoute } from '../route.ts'

type Ports = Pick<Storage, 'pets' | 'atOneState'>

export function inventoryRoutes(ports: Ports): Route[] {
  return [
    operationRoute(
      getInventory,
      async ({ query }, exchange) => {
        const { limit, sort } = query
        const name = query.name && encodeURIComponent(query.name)
        const { inventory, cursor } = await pageOf(ports, query, name, exchange.caller)
        const next = cursor === undefined ? undefined : nextPage('/store/inventory', { name, sort }, limit, { cursor })
        const body = wholeBodyOf(encodeInventory(inventory))
        return pageReply(exchange, encodedPage(body, { next, isSearch: name !== undefined }))
      },
      { isCached: true },
    ),
  ]
}

interface InventoryPage {
  inventory: Inventory
  /** Of the next page. */
  cursor: string | undefined
}

/** The scope of a cursor is its order, and `name`, which is encoded and so has no space. */
async function pageOf(ports: Ports, query: GetInventoryQuery, name: string | undefined, caller: Caller) {
  if (name !== undefined) return readNamed(ports, query, `inventory ${name}`, caller)
  if (query.sort === 'id') return readById(ports, query, 'inventory by id')
  return readLargest(ports, query, 'inventory')
}

async function readLargest({ pets }: Ports, query: GetInventoryQuery, scope: string): Promise<InventoryPage> {
  const inventory = await pets.inventory(query.limit, decodeSizeCursor(query.cursor, scope))
  return { inventory, cursor: inventory.next && encodeSizeCursor(inventory.next, scope) }
}

async function readById({ pets }: Ports, query: GetInventoryQuery, scope: string): Promise<InventoryPage> {
  const inventory = await pets.inventoryById(query.limit, decodeCursor(query.cursor, scope)?.id)
  return { inventory, cursor: cursorAfter(inventory.next, scope) }
}

/** The categories and their counts are two reads. */
function readNamed({ atOneState }: Ports, query: GetInventoryQuery, scope: string, caller: Caller) {
  const { limit, cursor, name } = query
  const after = decodeCursor(cursor, scope)?.id
  return atOneState(async ({ pets, categories }, inState): Promise<InventoryPage> => {
    const page = await categories.list(limit, after, name, inState)
    return { inventory: await pets.inventoryOf(page.items), cursor: cursorAfter(endOf(page), scope) }
  }, caller)
}

function cursorAfter(id: bigint | undefined, scope: string): string | undefined {
  return id === undefined ? undefined : encodeCursor({ id }, scope)
}
