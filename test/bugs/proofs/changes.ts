import { headerOf, makeKey, pet, type Proof, type ProofShop, statusOf } from './proof.ts'

const post = (shop: ProofShop, key: string, body: object = pet()) =>
  shop.send('POST /pets', body, { 'idempotency-key': key })
const idOf = async (creation: ReturnType<typeof post>) => ((await creation).body as { id: number }).id

interface Event {
  sequence: string
  type: string
  keyid?: string
}

const events = async (shop: ProofShop, query = '') =>
  ((await shop.send(`/events${query}`)).body as Event[]).map(
    ({ sequence, type }) => `${Number(sequence)} ${type.replace('petstore.', '')}`,
  )
const timeOfDelete = async (shop: ProofShop) => {
  await shop.send('DELETE /pets/1')
  return ((await shop.send('/events')).body as { time: string }[])[0]?.time
}
const order = (shop: ProofShop, petId: number) => shop.send('POST /store/orders', { petId })
const csv = { 'content-type': 'text/csv' }
const statusIn = async (shop: ProofShop, path: string) =>
  ((await shop.send(path)).body as { status?: string }).status ?? 'none'

/** Retries, events and what the shop keeps. */
export const changeProofs: Record<string, Proof> = {
  'key-forgotten-after-error': {
    async run(shop) {
      const first = await idOf(post(shop, 'a'))
      const other = (await post(shop, 'a', pet({ name: 'Tom' }))).status
      return [first, other, await idOf(post(shop, 'a'))]
    },
    right: [11, 422, 11],
    wrong: [11, 422, 12],
  },
  'key-shared-by-clients': {
    async run(shop) {
      const { key } = await makeKey(shop, { permission: 'write' })
      const first = await idOf(post(shop, 'a'))
      const headers = { 'idempotency-key': 'a', authorization: `Bearer ${key}` }
      return [first, await idOf(shop.send('POST /pets', pet(), headers))]
    },
    right: [11, 12],
    wrong: [11, 11],
  },
  'another-body-replayed': {
    async run(shop) {
      await post(shop, 'a')
      return (await post(shop, 'a', pet({ name: 'Tom' }))).status
    },
    right: 422,
    wrong: 201,
  },
  'replay-not-marked': {
    async run(shop) {
      await post(shop, 'a')
      return headerOf('idempotent-replayed', 'POST /pets', pet(), { 'idempotency-key': 'a' })(shop)
    },
    right: 'true',
    wrong: null,
  },
  'refusal-remembered': {
    run: async (shop) => [(await post(shop, 'a', {})).status, (await post(shop, 'a')).status],
    right: [400, 201],
    wrong: [400, 422],
  },
  'orders-not-idempotent': {
    async run(shop) {
      const place = () => statusOf(shop, 'POST /store/orders', { petId: 1 }, { 'idempotency-key': 'a' })
      return [await place(), await place()]
    },
    right: [201, 201],
    wrong: [201, 409],
  },
  'key-without-case': {
    run: async (shop) => [await idOf(post(shop, 'a')), await idOf(post(shop, 'A'))],
    right: [11, 12],
    wrong: [11, 11],
  },
  'key-kept-an-hour': {
    async run(shop) {
      const first = await idOf(post(shop, 'a'))
      await shop.send('PUT /sandbox/clock', { advance: 'PT2H' })
      return [first, await idOf(post(shop, 'a'))]
    },
    right: [11, 11],
    wrong: [11, 12],
  },

  'deletes-leave-no-event': {
    async run(shop) {
      await shop.send('DELETE /pets/1')
      return events(shop)
    },
    right: ['1 pet.deleted'],
    wrong: [],
  },
  'event-twice': {
    async run(shop) {
      await shop.send('DELETE /pets/1')
      return events(shop)
    },
    right: ['1 pet.deleted'],
    wrong: ['1 pet.deleted', '1 pet.deleted'],
  },
  'events-out-of-order': {
    async run(shop) {
      await order(shop, 1)
      return events(shop)
    },
    right: ['1 pet.updated', '2 order.placed'],
    wrong: ['2 order.placed', '1 pet.updated'],
  },
  'after-skips-one': {
    async run(shop) {
      for (const id of [1, 3, 5]) await shop.send(`DELETE /pets/${id}`)
      return events(shop, '?after=1')
    },
    right: ['2 pet.deleted', '3 pet.deleted'],
    wrong: ['3 pet.deleted'],
  },
  'event-type-ignored': {
    async run(shop) {
      await shop.send('DELETE /pets/1')
      return events(shop, '?type=petstore.pet.created')
    },
    right: [],
    wrong: ['1 pet.deleted'],
  },
  'event-key-ignored': {
    async run(shop) {
      await shop.send('DELETE /pets/1')
      return events(shop, '?keyid=nobody')
    },
    right: [],
    wrong: ['1 pet.deleted'],
  },
  'event-from-excludes': {
    run: async (shop) => events(shop, `?from=${await timeOfDelete(shop)}`),
    right: ['1 pet.deleted'],
    wrong: [],
  },
  'event-to-includes': {
    run: async (shop) => events(shop, `?to=${await timeOfDelete(shop)}`),
    right: [],
    wrong: ['1 pet.deleted'],
  },
  'event-without-author': {
    async run(shop) {
      await shop.send('DELETE /pets/1')
      return ((await shop.send('/events')).body as Event[])[0]?.keyid
    },
    right: 'sandbox_event-without-author',
    wrong: undefined,
  },

  'id-used-again': {
    async run(shop) {
      const first = await idOf(shop.send('POST /pets', pet()))
      await shop.send(`DELETE /pets/${first}`)
      return [first, await idOf(shop.send('POST /pets', pet()))]
    },
    right: [11, 12],
    wrong: [11, 11],
  },
  'cancelled-stays-pending': {
    async run(shop) {
      await shop.send('PATCH /store/orders/2', { status: 'cancelled' })
      return [await statusIn(shop, '/store/orders/2'), await statusIn(shop, '/pets/2')]
    },
    right: ['cancelled', 'available'],
    wrong: ['cancelled', 'pending'],
  },
  'patch-removes-the-status': {
    async run(shop) {
      await shop.send('PATCH /pets/1', { name: 'Max' })
      return statusIn(shop, '/pets/1')
    },
    right: 'available',
    wrong: 'none',
  },
  'inventory-counts-the-deleted': {
    async run(shop) {
      await shop.send('DELETE /pets/1')
      return ((await shop.send('/store/inventory')).body as { total: number }).total
    },
    right: 9,
    wrong: 10,
  },
  'import-loses-category-names': {
    async run(shop) {
      await shop.send('POST /pets/import', 'name,categoryId\nMax,1\n', csv)
      return (await shop.send('/categories/1')).status
    },
    right: 200,
    wrong: 404,
  },
  'search-minds-case': {
    run: async (shop) => ((await shop.send('/pets?name=rex')).body as object[]).length,
    right: 1,
    wrong: 0,
  },
  'import-adds-twice': {
    async run(shop) {
      const headers = { ...csv, 'idempotency-key': 'a' }
      for (let count = 0; count < 2; count++) await shop.send('POST /pets/import', 'name,categoryId\nMax,1\n', headers)
      return ((await shop.send('/pets?name=Max')).body as object[]).length
    },
    right: 1,
    wrong: 2,
  },
}
