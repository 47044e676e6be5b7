import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { connect, disconnect } from '../../../console/api/service.ts'
import { loadName } from '../../../console/state/categories.ts'
import { loadPetNames } from '../../../console/state/pet-names.ts'

/** Signs in to a service that answers when `answer` is called. Returns the paths of its requests. */
function signIn(t: TestContext): { requests: string[]; answer: () => void } {
  const requests: string[] = []
  const answers = Promise.withResolvers<void>()
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.method(globalThis, 'fetch', async (input: string | URL | Request) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    requests.push(pathname + search)
    await answers.promise
    return pathname === '/v1/pets' ? Response.json([]) : Response.json({ id: 1, name: 'Cats' })
  })
  connect('key', () => undefined)
  t.after(disconnect)
  return { requests, answer: () => answers.resolve() }
}

test('the names of animals are read once and together, however often a list asks for them meanwhile', async (t) => {
  const { requests, answer } = signIn(t)

  const loading = [loadPetNames(['1', '2', '3']), loadPetNames(['2', '3']), loadPetNames(['3', '4'])]
  answer()
  await Promise.all(loading)

  assert.deepEqual(requests, ['/v1/pets?ids=1%2C2%2C3&limit=100', '/v1/pets?ids=4&limit=100'])
})

test('many names of animals are read with one request for each hundred', async (t) => {
  const { requests, answer } = signIn(t)

  answer()
  await loadPetNames(Array.from({ length: 201 }, (_, index) => String(1_000 + index)))

  assert.equal(requests.length, 3)
})

test('the name of a category is read once, however often a list asks for it meanwhile', async (t) => {
  const { requests, answer } = signIn(t)

  const loading = [loadName('1'), loadName('1'), loadName('2')]
  answer()
  await Promise.all(loading)
  await loadName('1')

  assert.deepEqual(requests, ['/v1/categories/1', '/v1/categories/2', '/v1/categories/1'])
})

test('what somebody else reads for an earlier session is read again for the next', async (t) => {
  const { requests, answer } = signIn(t)

  const earlier = loadName('1')
  connect('other', () => undefined)
  const later = loadName('1')
  answer()
  await Promise.all([earlier, later])

  assert.equal(requests.length, 2)
})
