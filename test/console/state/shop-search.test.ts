import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { connect, disconnect } from '../../../console/api/service.ts'
import { searchShop, type ShopResults } from '../../../console/state/shop-search.ts'

const rex = { id: 7, name: 'Rex', categoryId: 1 }
const agent = { id: 12, name: 'Agent 7', categoryId: 1 }
const order = { id: 7, petId: 3, status: 'placed', placedAt: '', updatedAt: '' }
const refusal = { status: 400, code: 'invalid_parameter', message: 'No.' }

/** Signs in to a service that gives these responses, by the beginning of the address. */
function signIn(t: TestContext, responses: Record<string, () => unknown>): void {
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.method(globalThis, 'fetch', async (input: string | URL | Request) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const path = Object.keys(responses).find((start) => `${pathname}${search}`.startsWith(start))
    const body = responses[path ?? '']?.() ?? []
    return Response.json(body, { status: (body as { status?: number }).status === 400 ? 400 : 200 })
  })
  connect('key', () => undefined)
  t.after(disconnect)
}

async function search(text: string, signal = new AbortController().signal): Promise<Partial<ShopResults>> {
  const found: Partial<ShopResults> = {}
  await searchShop(
    text,
    () => true,
    signal,
    (part) => Object.assign(found, part),
  )
  return found
}

test('a number finds the animal and the order with that number first', async (t) => {
  signIn(t, {
    '/v1/pets?id=7': () => [rex],
    '/v1/pets?name=7': () => [agent, rex],
    '/v1/store/orders/7': () => order,
  })

  const { animals, orders, error } = await search('7')

  assert.deepEqual(
    animals?.map(({ id }) => id),
    [7, 12],
  )
  assert.deepEqual(
    orders?.map(({ id }) => id),
    [7],
  )
  assert.equal(error, undefined)
})

for (const text of ['order 7', 'Order 7', 'ORDER #7']) {
  test(`“${text}” finds the order with this number, not the animal`, async (t) => {
    signIn(t, { '/v1/pets?id=7': () => [rex], '/v1/store/orders/7': () => order })

    const { animals, orders } = await search(text)

    assert.deepEqual(animals, [])
    assert.deepEqual(
      orders?.map(({ id }) => id),
      [7],
    )
  })
}

test('a part that fails is told, and the others are found', async (t) => {
  signIn(t, { '/v1/pets?name=rex': () => [rex], '/v1/store/orders': () => refusal })

  const found = await search('rex')

  assert.equal(found.animals?.length, 1)
  assert.equal((found.error as { code: string }).code, 'invalid_parameter')
  assert.deepEqual(found.categories, [])
})

test('results of a search that is over are dropped', async (t) => {
  const ending = new AbortController()
  signIn(t, {
    '/v1/pets?name=rex': () => {
      ending.abort()
      return [rex]
    },
  })

  assert.deepEqual(await search('rex', ending.signal), {})
})
