import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

interface Write {
  start: string
  body?: object
  /** Where the resource and its ETag can be read. */
  path: string
  done: number
}

const writes: Record<string, Write> = {
  updatePet: { start: 'PATCH /v1/pets/1', body: { name: 'Max' }, path: '/v1/pets/1', done: 200 },
  deletePet: { start: 'DELETE /v1/pets/1', path: '/v1/pets/1', done: 204 },
  updateOrder: {
    start: 'PATCH /v1/store/orders/1',
    body: { status: 'completed' },
    path: '/v1/store/orders/1',
    done: 200,
  },
  putCategory: { start: 'PUT /v1/categories/1', body: { name: 'Hounds' }, path: '/v1/categories/1', done: 200 },
  deleteCategory: { start: 'DELETE /v1/categories/1', path: '/v1/categories/1', done: 204 },
}

type Conditions = (tag: string) => Record<string, string>

const met: Record<string, Conditions> = {
  'If-Match with the tag': (tag) => ({ 'if-match': tag }),
  'If-Match with the tag among others': (tag) => ({ 'if-match': `"x", W/"y" ,${tag} , "a,b"` }),
  'If-Match with empty elements': (tag) => ({ 'if-match': `, ${tag},,` }),
  'If-Match: *': () => ({ 'if-match': '*' }),
  'If-None-Match with another tag': () => ({ 'if-none-match': '"x"' }),
  both: (tag) => ({ 'if-match': tag, 'if-none-match': '"x"' }),
}

const unmet: Record<string, Conditions> = {
  'If-Match with another tag': () => ({ 'if-match': '"x"' }),
  'If-Match with the tag as a weak one': (tag) => ({ 'if-match': `W/${tag}` }),
  'If-Match with the tag inside another one': (tag) => ({ 'if-match': `"a,${tag.slice(1, -1)},b"` }),
  'If-Match with an asterisk in quotes': () => ({ 'if-match': '"*"' }),
  'If-Match without quotes': (tag) => ({ 'if-match': tag.slice(1, -1) }),
  'If-Match that is empty': () => ({ 'if-match': '' }),
  'If-None-Match with the tag': (tag) => ({ 'if-none-match': tag }),
  'If-None-Match with the tag as a weak one': (tag) => ({ 'if-none-match': `W/${tag}` }),
  'If-None-Match with the tag among others': (tag) => ({ 'if-none-match': `"x", ${tag}` }),
  'If-None-Match: *': () => ({ 'if-none-match': '*' }),
  'If-None-Match without quotes': () => ({ 'if-none-match': 'x' }),
  'both, of which If-None-Match does not hold': (tag) => ({ 'if-match': tag, 'if-none-match': tag }),
}

for (const [id, write] of Object.entries(writes)) {
  for (const [what, conditions] of Object.entries(met)) {
    test(`${id} succeeds if its precondition holds: ${what}`, async (t) => {
      const app = await startShop(t)
      const tag = await tagAt(app, write.path)

      const answer = await send(app, write, conditions(tag))

      assert.equal(answer.status, write.done, answer.text)
      if (write.done === 200) assert.equal(answer.headers.get('etag'), await tagAt(app, write.path))
      if (write.done === 200) assert.notEqual(answer.headers.get('etag'), tag)
    })
  }

  test(`${id} returns 412 and changes nothing if its precondition fails`, async (t) => {
    const app = await startShop(t)
    const tag = await tagAt(app, write.path)

    for (const [what, conditions] of Object.entries(unmet)) {
      await t.test(what, async () => {
        const headers = conditions(tag)
        const answer = await send(app, write, headers)

        assertError(answer, 'precondition_failed')
        for (const name of Object.keys(headers)) assert.match(answer.text, new RegExp(name, 'i'))
        assert.equal(await tagAt(app, write.path), tag)
      })
    }
  })

  test(`${id} reads several precondition headers as one list`, async (t) => {
    const app = await startShop(t)
    const tag = await tagAt(app, write.path)
    const body = write.body === undefined ? '' : JSON.stringify(write.body)
    const lines = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`, 'If-Match: "x"']
    const type = body === '' ? [] : ['Content-Type: application/json']

    const raw = await app.sendRaw(rawRequest(write.start, [...lines, `If-Match: ${tag}`, ...type], body))

    assert.equal((readAnswers(raw)[0] as Answer).status, write.done, raw)
  })
}

for (const [id, start, body] of [
  ['updatePet', 'PATCH /v1/pets/9', { name: 'Max' }],
  ['deletePet', 'DELETE /v1/pets/9'],
  ['updateOrder', 'PATCH /v1/store/orders/9', { status: 'completed' }],
] as const) {
  test(`${id} of an unknown resource is 404, whatever the precondition`, async (t) => {
    const app = await startShop(t)

    for (const headers of [{ 'if-match': '*' }, { 'if-match': '"x"' }, { 'if-none-match': '*' }])
      assertError(await send(app, { start, path: '', done: 0, ...(body && { body }) }, headers), 'not_found')
  })
}

test('the message of a 412 names the preconditions that were sent', async (t) => {
  const { sendJson } = await startApp(t)
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  const messageFor = async (headers: Record<string, string>) => {
    const { body } = await sendJson('PUT /v1/categories/1', { name: 'Cats' }, headers)
    return (body as { message: string }).message
  }

  assert.equal(await messageFor({ 'if-match': '"x"' }), 'The current category does not meet If-Match: read it again.')
  assert.equal(
    await messageFor({ 'if-match': '"x"', 'if-none-match': '"y"' }),
    'The current category does not meet If-Match and If-None-Match: read it again.',
  )
})

test('putCategory with If-None-Match: * only creates', async (t) => {
  const { sendJson, send: ask } = await startApp(t)
  const headers = { 'if-none-match': '*' }

  const first = await sendJson('PUT /v1/categories/7', { name: 'Dogs' }, headers)
  const second = await sendJson('PUT /v1/categories/7', { name: 'Hounds' }, headers)

  assert.equal(first.status, 201)
  assertError(second, 'precondition_failed')
  assert.match(second.text, /If-None-Match: \* asks that the category does not exist, but it does\./)
  assert.equal((await ask('/v1/categories')).text, '[{"id":7,"name":"Dogs"}]')
})

test('putCategory with If-Match only renames', async (t) => {
  const { sendJson, send: ask } = await startApp(t)

  for (const match of ['*', '"x"']) {
    const answer = await sendJson('PUT /v1/categories/7', { name: 'Dogs' }, { 'if-match': match })
    assertError(answer, 'precondition_failed')
  }
  assert.equal((await ask('/v1/categories')).text, '[]')

  await sendJson('PUT /v1/categories/7', { name: 'Dogs' })
  assert.equal((await sendJson('PUT /v1/categories/7', { name: 'Hounds' }, { 'if-match': '*' })).status, 200)
})

test('the response to a write has the ETag of the resource', async (t) => {
  const { sendJson, send: ask } = await startApp(t)

  for (const [start, body, path] of [
    ['POST /v1/pets', { name: 'Rex', categoryId: 1, status: 'available' }, '/v1/pets/1'],
    ['PATCH /v1/pets/1', { name: 'Max' }, '/v1/pets/1'],
    ['PUT /v1/categories/1', { name: 'Dogs' }, '/v1/categories/1'],
    ['PUT /v1/categories/1', { name: 'Hounds' }, '/v1/categories/1'],
    ['POST /v1/store/orders', { petId: 1 }, '/v1/store/orders/1'],
    ['PATCH /v1/store/orders/1', { status: 'cancelled' }, '/v1/store/orders/1'],
  ] as const) {
    const written = await sendJson(start, body)
    const read = await ask(path)

    assert.match(written.headers.get('etag') ?? '', /^"[\w-]{43}"$/)
    assert.equal(written.headers.get('etag'), read.headers.get('etag'), start)
    assert.equal(written.text, read.text)
  }
})

test('a list filtered by id has the ETag of the animal, with and without a count', async (t) => {
  const { create, send: ask } = await startApp(t)
  const etag = (await create({ name: 'Rex', categoryId: 1, status: 'sold' })).headers.get('etag')
  await create({ name: 'Tom', categoryId: 2 })

  for (const query of ['id=1', 'id=1&status=sold', 'id=1&categoryId=1&limit=5']) {
    for (const headers of [{}, { prefer: 'count=exact' }]) {
      // The second time from memory.
      for (let times = 0; times < 2; times++)
        assert.equal((await ask(`/v1/pets?${query}`, { headers })).headers.get('etag'), etag, query)
    }
  }
  for (const query of ['id=9', 'id=1&status=pending', 'status=sold'])
    assert.notEqual((await ask(`/v1/pets?${query}`)).headers.get('etag'), etag, query)
})

test('after the sunset of getPet an animal can be read, changed and removed with the ETag of its list', async (t) => {
  const { create, sendJson, send: ask } = await startApp(t, { clock: () => Date.parse('2031-01-01T00:00:00Z') })
  await create({ name: 'Rex', categoryId: 1 })
  const read = await ask('/v1/pets?id=1')
  const stale = { 'if-match': read.headers.get('etag') ?? '' }

  const changed = await sendJson('PATCH /v1/pets/1', { name: 'Max' }, stale)
  const late = await sendJson('PATCH /v1/pets/1', { name: 'Tom' }, stale)
  const fresh = { 'if-match': (await ask('/v1/pets?id=1')).headers.get('etag') ?? '' }
  const removed = await ask('/v1/pets/1', { method: 'DELETE', headers: fresh })

  assert.equal(changed.status, 200)
  assertError(late, 'precondition_failed')
  assert.equal(removed.status, 204)
})

for (const path of [
  '/v1/pets',
  '/v1/pets?id=1',
  '/v1/pets/1',
  '/v1/store/orders',
  '/v1/store/orders/1',
  '/v1/categories',
  '/v1/categories/1',
  '/v1/events',
]) {
  test(`GET supports If-None-Match and If-Match: ${path}`, async (t) => {
    const app = await startShop(t)
    const tag = await tagAt(app, path)
    const ask = (headers: Record<string, string>, method = 'GET') => app.send(path, { method, headers })

    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await ask({ 'if-none-match': known })
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', tag], known)
      assert.equal((await ask({ 'if-none-match': known }, 'HEAD')).status, 304)
    }
    assert.equal((await ask({ 'if-none-match': '"x"' })).status, 200)
    assert.equal((await ask({ 'if-none-match': 'no tag' })).status, 200)
    for (const match of [tag, '*', `"x", ${tag}`]) assert.equal((await ask({ 'if-match': match })).status, 200, match)
    for (const match of ['"x"', `W/${tag}`, tag.slice(1, -1)])
      assertError(await ask({ 'if-match': match }), 'precondition_failed')
  })
}

/** A shop with two animals, the first free, the second with an open order, 1, and a category, 1, without animals. */
async function startShop(t: TestContext): Promise<TestApp> {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 2 })
  await app.create({ name: 'Tom', categoryId: 2, status: 'available' })
  await app.sendJson('POST /v1/store/orders', { petId: 2 })
  await app.sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  return app
}

async function tagAt(app: TestApp, path: string): Promise<string> {
  const { status, headers, text } = await app.send(path)
  assert.equal(status, 200, text)
  const tag = headers.get('etag') ?? ''
  assert.match(tag, /^"[\w+-]+"$/)
  return tag
}

function send(app: TestApp, { start, body }: Write, headers: Record<string, string>): Promise<Answer> {
  if (body !== undefined) return app.sendJson(start, body, headers)
  const [method = '', path = ''] = start.split(' ')
  return app.send(path, { method, headers })
}
