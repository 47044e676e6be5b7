import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { connect, disconnect } from '../../../console/api/service.ts'
import { readFound } from '../../../console/state/find.ts'

const tom = { id: 7, name: 'Tom', categoryId: 1 }
const agent = { id: 12, name: 'Agent 7', categoryId: 1 }

/** Signs in to a service that gives these responses, by path. Returns the requests. */
function signIn(t: TestContext, responses: Record<string, Response>): string[] {
  const requests: string[] = []
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/shop/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.method(globalThis, 'fetch', async (input: string | URL | Request) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    requests.push(pathname + search)
    return responses[pathname]?.clone()
  })
  connect('key', () => undefined)
  t.after(disconnect)
  return requests
}

const { signal } = new AbortController()

test('a search for a number shows the animal with that number first, and once', async (t) => {
  const requests = signIn(t, { '/shop/v1/pets': Response.json([tom]), '/shop/v1/categories': Response.json([]) })

  const { items } = await readFound('7', async () => ({ items: [agent, tom], cursor: undefined }), signal)

  assert.deepEqual(
    items.map(({ id }) => id),
    [7, 12],
  )
  assert.match(requests[0] ?? '', /^\/shop\/v1\/pets\?id=7\b/)
})

test('a search for words asks for no number, and shows the categories that have the words', async (t) => {
  const cats = { id: 1, name: 'Cats' }
  const requests = signIn(t, { '/shop/v1/categories': Response.json([cats]) })

  const found = await readFound('cat', async () => ({ items: [agent], cursor: undefined }), signal)

  assert.deepEqual(
    found.categories?.map(({ name }) => name),
    ['Cats'],
  )
  assert.deepEqual(requests, ['/shop/v1/categories?name=cat&limit=5'])
})

test('a service without categories still finds animals', async (t) => {
  const refusal = { status: 404, code: 'not_found', message: 'There is nothing at this path.' }
  signIn(t, { '/shop/v1/categories': Response.json(refusal, { status: 404 }) })

  const found = await readFound('cat', async () => ({ items: [agent], cursor: undefined }), signal)

  assert.deepEqual([found.items, found.categories], [[agent], []])
})
