import { type Check, type Subject, writes } from '../../shop/check.ts'
import {
  expectHeader,
  expectIds,
  expectMembers,
  expectObject,
  expectRefusal,
  header,
  idOf,
  readPet,
  sendJson,
} from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail } from '../../shop/expect.ts'
import { type JsonObject, textOf } from '../../shop/json.ts'
import { unknownId } from '../removal.ts'

const placeSentence = 'placeOrder: orders an `available` animal, which becomes `pending`.'
const onceSentence =
  'placeOrder: if several clients order the same animal at once, one succeeds and the others get 409.'
const closeSentence = 'updateOrder: `completed` makes the animal `sold`, `cancelled` makes it `available` again.'

/** Every order of a run is for its mark, so that it can be found and closed. */
function orderBody({ shop }: Subject, petId: bigint | string, more = ''): string {
  return `{"petId":${petId},"customer":"${shop.mark}"${more}}`
}

async function place(subject: Subject): Promise<{ petId: bigint; order: JsonObject; path: string; placed: Exchange }> {
  const { pet } = await subject.stock.add()
  const placed = await sendJson(subject.shop, 'POST', '/store/orders', orderBody(subject, pet.id))
  const order = expectObject(placed, 201)
  return { petId: pet.id, order, path: `/store/orders/${idOf(placed, order)}`, placed }
}

async function expectPetStatus({ shop }: Subject, petId: bigint, status: string): Promise<void> {
  if ((await readPet(shop, petId))?.status !== status) fail(await shop.list(`?id=${petId}`), `the status ${status}`)
}

function change({ shop }: Subject, path: string, members: string, headers?: Record<string, string>): Promise<Exchange> {
  return sendJson(shop, 'PATCH', path, members, headers)
}

export const orderChecks: readonly Check[] = [
  writes('F-orders-1', {
    name: 'an order is 201 with its animal, status, times and address',
    sentence: placeSentence,
    async run(subject) {
      const { petId, order, path, placed } = await place(subject)
      expectMembers(placed, order, { petId, status: 'placed', customer: subject.shop.mark, note: undefined })
      for (const name of ['placedAt', 'updatedAt'])
        if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(textOf(order[name]))) fail(placed, `${name} as a time`)
      expectHeader(placed, 'Location', new RegExp(`${path}$`))
    },
  }),
  writes('F-orders-2', {
    name: 'an animal that is ordered is pending',
    sentence: placeSentence,
    async run(subject) {
      await expectPetStatus(subject, (await place(subject)).petId, 'pending')
    },
  }),
  writes('F-orders-3', {
    name: 'an animal that is not available, or unknown, cannot be ordered: 409',
    sentence: '409: `conflict`: The animal is not available.',
    async run(subject) {
      const { pet } = await subject.stock.add({ status: '"sold"' })
      for (const petId of [pet.id, unknownId])
        expectRefusal(await sendJson(subject.shop, 'POST', '/store/orders', orderBody(subject, petId)), 409, 'conflict')
    },
  }),
  writes('F-orders-4', {
    name: 'of several orders for one animal at once, one is placed and the others are 409',
    sentence: onceSentence,
    async run(subject) {
      const { pet } = await subject.stock.add()
      const request = { method: 'POST' as const, path: '/store/orders', body: orderBody(subject, pet.id) }
      const all = await subject.shop.sendTogether(Array.from({ length: 5 }, () => request))
      const statuses = all.map(({ response }) => response?.status ?? 0).toSorted((a, b) => a - b)
      if (statuses.join() !== '201,409,409,409,409') fail(all[0], 'one 201 and four 409', statuses.join(', '))
    },
  }),
  writes('F-orders-5', {
    name: 'a completed order makes its animal sold',
    sentence: closeSentence,
    async run(subject) {
      const { petId, path } = await place(subject)
      const done = await change(subject, path, '{"status":"completed"}')
      expectMembers(done, expectObject(done, 200), { status: 'completed' })
      await expectPetStatus(subject, petId, 'sold')
    },
  }),
  writes('F-orders-6', {
    name: 'a cancelled order makes its animal available, and it can be ordered again',
    sentence: closeSentence,
    async run(subject) {
      const { petId, path } = await place(subject)
      expectStatus(await change(subject, path, '{"status":"cancelled"}'), 200)
      await expectPetStatus(subject, petId, 'available')
      expectStatus(await sendJson(subject.shop, 'POST', '/store/orders', orderBody(subject, petId)), 201)
    },
  }),
  writes('F-orders-7', {
    name: 'the status of a closed order cannot change: 409',
    sentence: '409: `conflict`: The order is closed: its status cannot change.',
    async run(subject) {
      const { petId, path } = await place(subject)
      expectStatus(await change(subject, path, '{"status":"completed"}'), 200)
      expectRefusal(await change(subject, path, '{"status":"cancelled"}'), 409, 'conflict')
      await expectPetStatus(subject, petId, 'sold')
    },
  }),
  writes('F-orders-8', {
    name: 'the status of an animal with an open order changes only through the order: 409',
    sentence: 'While an animal has an open order, only that order changes its status.',
    async run(subject) {
      const { petId } = await place(subject)
      expectRefusal(await change(subject, `/pets/${petId}`, '{"status":"available"}'), 409, 'conflict')
      await expectPetStatus(subject, petId, 'pending')
    },
  }),
  writes('F-orders-9', {
    name: 'an animal with an open order cannot be removed: 409',
    sentence: 'deletePet: an animal with an open order cannot be removed.',
    async run(subject) {
      const { petId } = await place(subject)
      expectRefusal(await subject.shop.send({ method: 'DELETE', path: `/pets/${petId}` }), 409, 'conflict')
    },
  }),
  writes('F-orders-10', {
    name: 'an order is found by its id; an unknown one is 404',
    sentence: 'getOrder: returns one order.',
    async run(subject) {
      const { order, path } = await place(subject)
      const got = await subject.shop.send({ method: 'GET', path })
      expectMembers(got, expectObject(got, 200), { id: idOf(got, order), status: 'placed' })
      expectRefusal(await subject.shop.send({ method: 'GET', path: `/store/orders/${unknownId}` }), 404, 'not_found')
    },
  }),
  writes('F-orders-11', {
    name: 'orders are filtered by animal, by its name, by status and by customer',
    sentence: 'listOrders: `petId`, `petName`, `status`, `customer`.',
    async run(subject) {
      const { petId, order, placed } = await place(subject)
      const list = (query: string) => subject.shop.send({ method: 'GET', path: `/store/orders?petId=${petId}${query}` })
      const id = idOf(placed, order)
      expectIds(await list(''), [id], 'orders')
      expectIds(await list('&status=completed'), [], 'orders')
      expectIds(await list(`&customer=${subject.shop.mark.toUpperCase()}`), [id], 'orders')
      expectIds(await list('&customer=nobody'), [], 'orders')
      expectIds(await list('&petName=nobody'), [], 'orders')
    },
  }),
  writes('F-orders-12', {
    name: 'customer and note are kept, changed, and removed with null, also when the order is closed',
    sentence: 'updateOrder: null removes `customer` or `note`, which can be changed when the order is closed too.',
    async run(subject) {
      const { path } = await place(subject)
      const noted = await change(subject, path, '{"note":"  Saturday ","status":"cancelled"}')
      expectMembers(noted, expectObject(noted, 200), { note: '  Saturday ', customer: subject.shop.mark })
      const bare = await change(subject, path, '{"note":null}')
      expectMembers(bare, expectObject(bare, 200), { note: undefined, status: 'cancelled' })
    },
  }),
  writes('F-orders-13', {
    name: 'If-Match with an old ETag of an order is 412',
    sentence: 'With `If-Match` the change is made only if nobody has changed the order since it was read.',
    async run(subject) {
      const { path, placed } = await place(subject)
      const etag = header(placed, 'etag') ?? fail(placed, 'the header ETag')
      expectStatus(await change(subject, path, '{"note":"x"}', { 'If-Match': etag }), 200)
      expectRefusal(await change(subject, path, '{"note":"y"}', { 'If-Match': etag }), 412, 'precondition_failed')
    },
  }),
  writes('F-orders-14', {
    name: 'a retried order with the same Idempotency-Key is placed once',
    sentence: 'placeOrder: with an `Idempotency-Key` a retry is safe.',
    async run(subject) {
      const { pet } = await subject.stock.add()
      const key = { 'Idempotency-Key': `${subject.shop.mark}-order-${pet.id}` }
      const order = () => sendJson(subject.shop, 'POST', '/store/orders', orderBody(subject, pet.id), key)
      const first = await order()
      const id = idOf(first, expectObject(first, 201))
      const again = await order()
      expectMembers(again, expectObject(again, 201), { id })
      expectHeader(again, 'Idempotent-Replayed', 'true')
    },
  }),
]
