import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { invalidLimits } from '../support/invalid-limits.ts'
import { unknownIds } from '../support/unknown-ids.ts'

for (const engine of engines) {
  test(`${engine.name}: putCategory answers 201 when the category is new, then 200`, async (t) => {
    const { sendJson, send } = await startApp(t, { engine })

    const first = await sendJson('PUT /v1/categories/7', { name: 'Dogs' })
    const again = await sendJson('PUT /v1/categories/7', { name: 'Dogs' })
    const renamed = await sendJson('PUT /v1/categories/7', { name: 'Hounds' })

    assert.deepEqual([first.status, again.status, renamed.status], [201, 200, 200])
    assert.equal(first.text, '{"id":7,"name":"Dogs"}')
    assert.equal(again.text, first.text)
    assert.equal(renamed.text, '{"id":7,"name":"Hounds"}')
    for (const { headers } of [first, again]) {
      assert.equal(headers.get('content-type'), 'application/json')
      assert.equal(headers.get('cache-control'), 'private, no-cache')
    }
    assert.equal((await send('/v1/categories')).text, `[${renamed.text}]`)
  })

  test(`${engine.name}: any int64 is the id of a category, and the list ascends by id`, async (t) => {
    const { sendJson, send } = await startApp(t, { engine })
    const ids = [
      '-9223372036854775808',
      '-9007199254740993',
      '-1',
      '0',
      '1',
      '9007199254740993',
      '9223372036854775806',
      '9223372036854775807',
    ]

    for (const id of [...ids.slice(4), ...ids.slice(0, 4)]) {
      const answer = await sendJson(`PUT /v1/categories/${id}`, { name: `category ${id}` })
      assert.equal(answer.status, 201, answer.text)
      assert.equal(answer.text, `{"id":${id},"name":"category ${id}"}`)
    }

    const expected = `[${ids.map((id) => `{"id":${id},"name":"category ${id}"}`).join()}]`
    assert.equal((await send('/v1/categories')).text, expected)
    for (const limit of [1, 2, 3, 8]) assert.equal(`[${(await walk({ send }, limit)).join()}]`, expected)
  })

  test(`${engine.name}: if many clients name one category at once, exactly one creates it`, async (t) => {
    const { sendJson, send } = await startApp(t, { engine })

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => sendJson('PUT /v1/categories/1', { name: `name ${index}` })),
    )

    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal(answers.filter(({ status }) => status === 200).length, 29)
    const { text: list } = await send('/v1/categories')
    assert.ok(answers.some(({ text }) => list === `[${text}]`))
  })
}

test('there are no categories at first', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/categories')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '[]')
  assert.equal(answer.headers.get('link'), null)
})

test('a page of categories has 20 by default', async (t) => {
  const { storage, send } = await startApp(t)
  for (let id = 1n; id <= 30n; id++) await storage.categories.put({ id, name: `category ${id}` })

  const page = await send('/v1/categories')
  const all = await send('/v1/categories?limit=100')

  assert.equal((page.body as unknown[]).length, 20)
  assert.match(page.headers.get('link') ?? '', /^<[^<>]+\/v1\/categories\?cursor=[\w-]+>; rel="next"$/)
  assert.equal((all.body as unknown[]).length, 30)
  assert.equal(all.headers.get('link'), null)
})

test('categoryId of an animal needs no existing category', async (t) => {
  const { sendJson, create } = await startApp(t)
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })

  const answers = [await create({ name: 'Rex', categoryId: 1 }), await create({ name: 'Tom', categoryId: 2 })]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  )
})

test('putCategory returns 404 for an id that is not a canonical int64', async (t) => {
  const { sendJson, send } = await startApp(t)

  for (const id of ['abc', '01', '-0', '1.0', '1e3', '+1', '0x1', '%201', '9223372036854775808', '1,2', ':categoryId'])
    await t.test(id, async () => {
      assertError(await sendJson(`PUT /v1/categories/${id}`, { name: 'Dogs' }), 'not_found')
    })
  assert.equal((await send('/v1/categories')).text, '[]')
})

test('putCategory checks the name', async (t) => {
  const { sendJson, send } = await startApp(t)
  const names = ['', ' ', '\u3000', 'a\0', 'x'.repeat(1001), null, 5, ['Dogs'], undefined]

  for (const name of names) {
    await t.test(JSON.stringify(name)?.slice(0, 40) ?? 'missing', async () => {
      const answer = await sendJson('PUT /v1/categories/1', { name })

      assertError(answer, 'invalid_body')
      assert.match((answer.body as { message: string }).message, /^name (is missing: it )?must be a string /)
    })
  }
  assert.equal((await send('/v1/categories')).text, '[]')
})

test('the name of a category is stored exactly as sent', async (t) => {
  const { sendJson, send } = await startApp(t)

  for (const name of ['  Dogs ', '🐶'.repeat(1000), 'כלבים', 'e\u0301', '"\\\u0001', '__proto__']) {
    const answer = await sendJson('PUT /v1/categories/1', { name, id: 9, other: null })
    assert.deepEqual(answer.body, { id: 1, name })
    assert.deepEqual((await send('/v1/categories')).body, [{ id: 1, name }])
  }
})

test('putCategory requires one JSON object as application/json', async (t) => {
  const { sendJson } = await startApp(t)
  const type = { 'content-type': 'application/merge-patch+json' }

  for (const body of ['', 'null', '[]', '"Dogs"', '{'])
    assertError(await sendJson('PUT /v1/categories/1', body), 'invalid_body')
  assertError(await sendJson('PUT /v1/categories/1', { name: 'Dogs' }, type), 'unsupported_media_type')
  assertError(await sendJson('PUT /v1/categories/1', { name: 'x'.repeat(65_536) }), 'payload_too_large')
})

test('a read key can list categories but not name one', async (t) => {
  const { sendJson, send, makeKey } = await startApp(t)
  const headers = { authorization: `Bearer ${(await makeKey({ permission: 'read' })).secret}` }

  assertError(await sendJson('PUT /v1/categories/1', { name: 'Dogs' }, headers), 'forbidden')
  assert.equal((await send('/v1/categories', { headers })).text, '[]')
})

for (const limit of invalidLimits) {
  test(`listCategories refuses limit=${limit}`, async (t) => {
    const { send } = await startApp(t)

    assertError(await send(`/v1/categories?limit=${limit}`), 'invalid_parameter')
  })
}

test('listCategories refuses a cursor that is damaged or of another list', async (t) => {
  const { storage, send } = await startApp(t)
  for (let id = 1n; id <= 3n; id++) {
    await storage.categories.put({ id, name: 'Dogs' })
    await storage.pets.create({ name: 'Rex', categoryId: 1n })
  }
  const mine = cursorOf(await send('/v1/categories?limit=1'))
  const others = cursorOf(await send('/v1/pets?limit=1'))

  for (const cursor of ['', 'x', mine.slice(1), `${mine}A`, others, `${mine}&cursor=${mine}`])
    assertError(await send(`/v1/categories?cursor=${cursor}`), 'invalid_parameter')
  assertError(await send(`/v1/pets?cursor=${mine}`), 'invalid_parameter')
})

test('a list of categories is revalidated by its ETag, which a new name changes', async (t) => {
  const { sendJson, send } = await startApp(t)
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  const headers = { 'if-none-match': (await send('/v1/categories')).headers.get('etag') ?? '' }

  const unchanged = await send('/v1/categories', { headers })
  await sendJson('PUT /v1/categories/1', { name: 'Hounds' })
  const changed = await send('/v1/categories', { headers })

  assert.deepEqual([unchanged.status, unchanged.text, changed.status], [304, '', 200])
})

/** The wire forms of all categories, page by page. */
async function walk({ send }: Pick<TestApp, 'send'>, limit: number): Promise<string[]> {
  const seen: string[] = []
  let next: string | undefined = `/v1/categories?limit=${limit}`
  while (next !== undefined) {
    const page: Answer = await send(next)
    assert.equal(page.status, 200, page.text)
    seen.push(page.text.slice(1, -1))
    next = /^<http:\/\/[^/]+([^<>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
  }
  return seen
}

function cursorOf(answer: Answer): string {
  return /cursor=([\w-]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? ''
}

test('getCategory returns the category with the id, also a negative one', async (t) => {
  const { sendJson, send } = await startApp(t)
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  const put = await sendJson('PUT /v1/categories/-9223372036854775808', { name: 'Cats' })

  const answer = await send('/v1/categories/-9223372036854775808')

  assert.deepEqual([answer.status, answer.text], [200, put.text])
  assert.equal(answer.headers.get('stability'), 'experimental')
  assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
})

test('getCategory returns 404 unless the id is the canonical decimal of a named category', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  await create({ name: 'Rex', categoryId: 2 })

  for (const [what, id] of Object.entries(unknownIds))
    await t.test(what, async () => assertError(await send(`/v1/categories/${id}`), 'not_found'))
})
