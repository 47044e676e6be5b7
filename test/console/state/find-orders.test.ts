import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, disconnect } from '../../../console/api/service.ts'
import { findOrders } from '../../../console/state/find-orders.ts'
import { until } from '../../support/until.ts'

test('orders of a customer, of a number and of animals with that name are asked for at the same time', async (t) => {
  const requests: string[] = []
  const answers = Promise.withResolvers<void>()
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.method(globalThis, 'fetch', async (input: string | URL | Request) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    requests.push(pathname)
    await answers.promise
    if (pathname === '/v1/store/orders/7')
      return Response.json({ code: 'not_found', message: 'No.', status: 404 }, { status: 404 })
    return Response.json([])
  })
  connect('key', () => undefined)
  t.after(disconnect)

  const search = { text: '7', status: undefined, cursor: undefined }
  const finding = findOrders(search, new AbortController().signal)
  await until(() => requests.length === 3)
  answers.resolve()
  const { items } = await finding

  assert.deepEqual(items, [])
  assert.deepEqual(requests.slice(0, 3).toSorted(), ['/v1/pets', '/v1/store/orders', '/v1/store/orders/7'])
})
