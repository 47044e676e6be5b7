import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Pet } from '../../../client/src/index.ts'
import { connect, disconnect } from '../../../console/api/service.ts'
import { changeAll, undoAll } from '../../../console/state/bulk.ts'
import { followFeed } from '../../../console/state/feed.ts'

interface Call {
  id: number
  key: string | null
  change: Partial<Pet>
}

/** Signs in to a service that has these animals. Returns the changes that it was asked for. */
function signIn(t: TestContext, pets: Record<number, Pet>, onCall?: (count: number) => void): Call[] {
  const calls: Call[] = []
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.method(globalThis, 'fetch', async (url: URL, init: { headers: Record<string, string>; body: string }) => {
    const id = Number(new URL(url).pathname.split('/').at(-1))
    const change = JSON.parse(init.body) as Partial<Pet>
    calls.push({ id, key: new Headers(init.headers).get('authorization'), change })
    onCall?.(calls.length)
    pets[id] = { ...(pets[id] as Pet), ...change }
    return Response.json(pets[id], { headers: { etag: `"${calls.length}"` } })
  })
  connect('first', () => undefined)
  t.after(disconnect)
  return calls
}

const petOf = (id: number): Pet => ({ id, name: `Pet ${id}`, categoryId: 1, status: 'available' })

test('a bulk change ends with the key that it began with, and tells nothing to the next session', async (t) => {
  const ids = Array.from({ length: 20 }, (_none, index) => index + 1)
  const calls = signIn(t, Object.fromEntries(ids.map((id) => [id, petOf(id)])), (count) => {
    if (count === 10) connect('second', () => undefined)
  })
  const published: unknown[] = []
  t.after(followFeed((change) => published.push(change)))

  const result = await changeAll(ids.map(petOf), { status: 'sold' }, () => undefined)
  const publishedBefore = published.length
  await undoAll(result)

  assert.equal(calls.length, 40)
  assert.deepEqual(new Set(calls.map(({ key }) => key)), new Set(['Bearer first']))
  assert.ok(publishedBefore < 10, `${publishedBefore} changes were published`)
  assert.equal(published.length, publishedBefore)
})

test('Undo of a bulk change sets back only what it changed', async (t) => {
  // Since the page was read, a colleague moved it to another category.
  const calls = signIn(t, { 1: { ...petOf(1), categoryId: 9 }, 2: petOf(2) })

  const { name, categoryId } = petOf(2)
  await undoAll(await changeAll([petOf(1), { id: 2, name, categoryId }], { status: 'sold' }, () => undefined))
  await undoAll(await changeAll([petOf(1)], { categoryId: 7 }, () => undefined))

  assert.deepEqual(
    calls.map(({ id, change }) => [id, change]),
    [
      [1, { status: 'sold' }],
      [2, { status: 'sold' }],
      [1, { status: 'available' }],
      [2, { status: null }],
      [1, { categoryId: 7 }],
      [1, { categoryId: 1 }],
    ],
  )
})
