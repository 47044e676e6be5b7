import type { Row } from '../inventory/snapshot.ts'
import { resourceRows } from '../storage/shared/rows/resource-rows.ts'

/**
 * The demo shop, as a seed. It stays as it is, because tests of others count on it: docs/testing-against-it.md shows
 * it. Luna and Kiwi have an open order, Tom was sold, Coco has no status. The examples of the document have its ids.
 */
export const demoShop = `
{"type":"category","id":1,"name":"Dogs"}
{"type":"category","id":2,"name":"Cats"}
{"type":"category","id":3,"name":"Rabbits"}
{"type":"category","id":4,"name":"Birds"}
{"type":"category","id":5,"name":"Fish"}
{"id":1,"name":"Rex","categoryId":1,"status":"available"}
{"id":2,"name":"Luna","categoryId":1,"status":"pending"}
{"id":3,"name":"Mia","categoryId":2,"status":"available"}
{"id":4,"name":"Tom","categoryId":2,"status":"sold"}
{"id":5,"name":"Señor Bigotes","categoryId":2,"status":"available"}
{"id":6,"name":"ポチ","categoryId":1,"status":"available"}
{"id":7,"name":"Hoppel 🐇","categoryId":3,"status":"available"}
{"id":8,"name":"Kiwi","categoryId":4,"status":"pending"}
{"id":9,"name":"Coco","categoryId":4}
{"id":10,"name":"Bubbles","categoryId":5,"status":"available"}
{"type":"order","id":1,"petId":4,"status":"completed","placedAt":"2026-01-05T09:00:00.000Z","updatedAt":"2026-01-05T10:30:00.000Z","customer":"Grace Hopper","note":"Paid in cash."}
{"type":"order","id":2,"petId":2,"status":"placed","placedAt":"2026-01-06T09:00:00.000Z","updatedAt":"2026-01-06T09:00:00.000Z","customer":"Ada Lovelace","note":"Collects on Saturday."}
{"type":"order","id":3,"petId":8,"status":"placed","placedAt":"2026-01-07T09:00:00.000Z","updatedAt":"2026-01-07T09:00:00.000Z","customer":"Alan Turing"}
`

const openedAt = '2026-01-05T09:00:00.000Z'

/** What the demo shop has beside its seed: a key that nobody has, and a webhook that is not enabled. */
export const demoRows: Record<'api_keys' | 'webhooks', readonly Row[]> = {
  api_keys: [
    ['key_krn63qiYIVuH', 'web shop', 'write', 'A'.repeat(43), BigInt(Date.parse(openedAt)), null, null, null, null],
  ],
  webhooks: [
    resourceRows.webhooks.toRow({
      id: 1n,
      url: 'http://127.0.0.1:3000/petstore-events',
      description: 'Sends orders to the warehouse.',
      format: 'json',
      types: 'petstore.order.placed',
      createdAt: openedAt,
      disabledAt: openedAt,
      disabledReason: 'requested',
      secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
      startsAfter: 0n,
      activeSince: openedAt,
    }),
  ],
}
