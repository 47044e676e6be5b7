import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from '../../verify/src/shop/exchange.ts'
import { BareShop, bareKey, directTransport, error, type Handler } from './bare-shop.ts'
import { judge } from './judge.ts'

const url = new URL('http://shop.test/v1')

async function resultOf(only: string, handler: Handler) {
  const { results } = await judge(url, bareKey, { transport: directTransport(handler), only })
  return results.find(({ id }) => id === only)
}

test('JSON of several lines is shown in one, and a line break within a string stays', () => {
  const shown = (body: string) => {
    const response = { status: 200, headers: [], body: Buffer.from(body) }
    return describe({ request: { method: 'GET', path: '/pets' }, url, response })
      .split(': ')
      .slice(1)
      .join(': ')
  }

  assert.equal(shown('[\n  {\n    "name": "a  b"\n  }\r\n]\n'), '[ { "name": "a  b" } ]')
  assert.equal(shown('["a\n b\\"\n",\n1]'), '["a\n b\\"\n", 1]')
  assert.equal(shown('a\n b'), 'a\n b')
})

test('a create that is refused because its name was taken is shown with the earlier 201', async () => {
  const shop = new BareShop()
  const names = new Set<string>()
  const result = await resultOf('C-4.2-17', (request) => {
    if (request.method === 'POST' && names.has(request.body)) return error(400, 'taken', 'This animal is there.')
    if (request.method === 'POST') names.add(request.body)
    return shop.handle(request)
  })

  assert.match(result?.came ?? '', /^400/)
  assert.match(result?.earlierCame ?? '', /^201/)
  assert.match(result?.earlierSent ?? '', /-X POST/)
})

test('names without a mark are not judged if no category can be one, and the reason says so', async () => {
  const shop = new BareShop()
  shop.add('Rex', '7', 'sold')
  const result = await resultOf('C-2-17', (request) =>
    request.method === 'POST' && !/"categoryId":7\b/.test(request.body)
      ? error(400, 'unknown_category', 'There is no such category.')
      : shop.handle(request),
  )

  assert.equal(
    result?.reason,
    'these names have no mark of the run, and the shop takes no category of the run that could be one',
  )
})
