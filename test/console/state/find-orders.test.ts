import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect, disconnect } from '../../../console/api/service.ts'
import { findOrders } from '../../../console/state/find-orders.ts'
import { until } from '../../support/until.ts'

const { signal } = new AbortController()

test('orders of a customer, of a number and of animals with that name are asked for at the same time', async (t) => {
  const answers = Promise.withResolvers<void>()
  const requests = answerWith(t, async (url) => {
    await answers.promise
    if (url.pathname !== '/v1/store/orders/7') return Response.json([])
    return Response.json({ code: 'not_found', message: 'No.', status: 404 }, { status: 404 })
  })

  const finding = findOrders({ text: '7', status: undefined, sort: '-id', cursor: undefined }, signal)
  await until(() => requests.length === 4)
  answers.resolve()

  assert.deepEqual(await finding, { items: [], cursor: undefined })
  const asked = requests.map(({ pathname, searchParams }) => {
    const text = ['petName', 'customer', 'petId'].find((name) => searchParams.has(name))
    return `${pathname} ${text ?? ''}`
  })
  assert.deepEqual(asked.toSorted(), [
    '/v1/store/orders customer',
    '/v1/store/orders petId',
    '/v1/store/orders petName',
    '/v1/store/orders/7 ',
  ])
})

for (const text of ['Order 12', 'order 12', 'ORDER #12', 'order  12']) {
  test(`“${text}” finds the order with this number, and no orders of the animal with this number`, async (t) => {
    const requests = answerWith(t, async ({ pathname }) =>
      Response.json(pathname === '/v1/store/orders/12' ? orderOf(12) : []),
    )

    const { items } = await findOrders({ text, status: 'placed', sort: 'id', cursor: undefined }, signal)

    assert.deepEqual(
      items.map(({ id }) => id),
      [12],
    )
    assert.equal(
      requests.some(({ searchParams }) => searchParams.has('petId')),
      false,
    )
  })
}

test('a search of orders goes on in both lists, has each order of a page once, and ends with both', async (t) => {
  const pages: Record<string, [ids: number[], next?: string]> = {
    'petName 0': [[1, 4], 'p1'],
    'customer 0': [[2, 4]],
    'petName p1': [[9]],
  }
  const requests = answerWith(t, async ({ searchParams }) => {
    const list = searchParams.has('petName') ? 'petName' : 'customer'
    const [ids, next] = pages[`${list} ${searchParams.get('cursor') ?? 0}`] ?? assert.fail(String(searchParams))
    // As many as fill the page, so that it is not read on.
    const items = [...ids, ...Array.from({ length: next === undefined ? 0 : 20 - ids.length }, (_, n) => 100 + n)]
    return Response.json(items.map(orderOf), {
      headers: next === undefined ? {} : { link: `<http://127.0.0.1/v1/store/orders?cursor=${next}>; rel="next"` },
    })
  })
  const search = { text: 'bella', status: 'placed', sort: 'id' } as const

  const first = await findOrders({ ...search, cursor: undefined }, signal)
  const second = await findOrders({ ...search, cursor: first.cursor }, signal)

  assert.deepEqual(
    first.items.slice(0, 3).map(({ id }) => id),
    [1, 2, 4],
  )
  assert.equal(first.items.length, 21)
  assert.deepEqual([second.items.map(({ id }) => id), second.cursor], [[9], undefined])
  assert.equal(requests.length, 3)
})

function orderOf(id: number) {
  return { id, petId: id, status: 'placed', placedAt: '', updatedAt: '' }
}

function answerWith(t: TestContext, answer: (url: URL) => Promise<Response>): URL[] {
  const requests: URL[] = []
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.method(globalThis, 'fetch', (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input)
    requests.push(url)
    return answer(url)
  })
  connect('key', () => undefined)
  t.after(disconnect)
  return requests
}
