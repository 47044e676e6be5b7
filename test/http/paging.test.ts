import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { addAnimals, idsOf, nextOf, range } from '../support/page-requests.ts'

test('every page but the last has an absolute link to the next', async (t) => {
  const { send, storage, origin } = await startApp(t)
  await addAnimals(storage, 21)

  const answer = await send('/v1/pets')

  const link = answer.headers.get('link') ?? ''
  assert.match(link, /^<[^<>]+>; rel="next"$/)
  assert.ok(link.startsWith(`<${origin}/v1/pets?`), link)
})

test('the link keeps the filters and the limit', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 30)
  const queries = [
    'limit=2',
    'status=sold&limit=1',
    'categoryId=2&limit=3',
    'limit=1&categoryId=0&status=available',
    'status=pending&categoryId=1&limit=2',
  ]

  for (const query of queries) {
    await t.test(query, async () => {
      const next = nextOf(await send(`/v1/pets?${query}`))

      const { cursor, ...rest } = Object.fromEntries(new URL(next ?? '').searchParams)
      assert.deepEqual(rest, Object.fromEntries(new URLSearchParams(query)))
      assert.match(cursor ?? '', /./)
    })
  }
})

test('the link of a page without a limit leads to a page of the default limit', async (t) => {
  const { send, storage, origin } = await startApp(t)
  await addAnimals(storage, 45)

  const second = await follow(send, origin, nextOf(await send('/v1/pets')))

  assert.deepEqual(idsOf(second), range(21, 40))
})

test('the last page has no link', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 12)
  const queries = {
    'more room than animals': 'limit=100',
    'exactly full': 'limit=12',
    'exactly full of a status': 'status=sold&limit=3',
    'exactly full of a category': 'categoryId=1&limit=4',
    'exactly full of both': 'categoryId=1&status=available&limit=1',
    'one animal by id': 'id=1&limit=1',
    'nothing matches': 'categoryId=99',
  }

  for (const [what, query] of Object.entries(queries)) {
    await t.test(what, async () => {
      const answer = await send(`/v1/pets?${query}`)

      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('link'), null)
    })
  }
})

test('an empty shop has no next page', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets')

  assert.equal(answer.headers.get('link'), null)
})

test('a last page that is exactly full has no link', async (t) => {
  const { send, storage, origin } = await startApp(t)
  await addAnimals(storage, 6)

  const second = await follow(send, origin, nextOf(await send('/v1/pets?limit=3')))

  assert.deepEqual(idsOf(second), [4, 5, 6])
  assert.equal(second.headers.get('link'), null)
})

test('following the links sees every matching animal once, in order', async (t) => {
  const { send, storage, origin } = await startApp(t)
  await addAnimals(storage, 36)
  const matching: Record<string, number[]> = {
    '': range(1, 36),
    'status=sold&': range(1, 36).filter((id) => id % 4 === 3),
    'categoryId=2&': range(1, 36).filter((id) => id % 3 === 0),
    'status=available&categoryId=0&': range(1, 36).filter((id) => id % 12 === 1),
  }

  for (const [filter, ids] of Object.entries(matching)) {
    for (const limit of [1, 2, 3, 7, 9, 36, 100]) {
      await t.test(`?${filter}limit=${limit}`, async () => {
        const pages: number[][] = []
        for await (const page of walk(send, origin, `/v1/pets?${filter}limit=${limit}`)) pages.push(idsOf(page))

        assert.deepEqual(pages.flat(), ids)
        assert.equal(pages.length, Math.ceil(ids.length / limit))
      })
    }
  }
})

for (const [query, matches] of [
  ['limit=3', () => true],
  ['status=sold&limit=2', (id: number) => id % 4 === 3],
  ['categoryId=1&limit=1', (id: number) => id % 3 === 2],
] as const) {
  test(`paging repeats and skips nothing while others insert: ?${query}`, async (t) => {
    const { send, create, storage, origin } = await startApp(t)
    await addAnimals(storage, 20)

    const seen: number[] = []
    const added: number[] = []
    for await (const page of walk(send, origin, `/v1/pets?${query}`)) {
      seen.push(...idsOf(page))
      if (nextOf(page) === undefined || added.length === 4) continue
      const { body } = await create({ name: 'late', categoryId: 1, status: 'sold' })
      added.push((body as { id: number }).id)
    }

    assert.deepEqual(added, [21, 22, 23, 24].slice(0, added.length))
    assert.deepEqual(seen, [...range(1, 20).filter(matches), ...added])
  })
}

test('paging repeats and skips nothing while others delete', async (t) => {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const { send, origin } = await startApp(t, { storage })
  await addAnimals(storage, 20)
  const other = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 })
  t.after(() => other.close())

  const seen: number[] = []
  for await (const page of walk(send, origin, '/v1/pets?limit=4')) {
    const ids = idsOf(page)
    seen.push(...ids)
    for (const id of [ids.at(0), ids.at(-1)]) other.prepare('DELETE FROM pets WHERE id = ?').run(id as number)
  }

  assert.deepEqual(seen, range(1, 20))
})

test('a link still works after animals were added', async (t) => {
  const { send, create, storage, origin } = await startApp(t)
  await addAnimals(storage, 3)
  const next = nextOf(await send('/v1/pets?limit=2'))
  for (let added = 0; added < 3; added++) await create({ name: 'late', categoryId: 1 })

  const answer = await follow(send, origin, next)

  assert.deepEqual(idsOf(answer), [3, 4])
})

async function* walk(send: TestApp['send'], origin: string, path: string): AsyncGenerator<Answer> {
  let answer = await send(path)
  for (;;) {
    assert.equal(answer.status, 200)
    yield answer
    const next = nextOf(answer)
    if (next === undefined) return
    answer = await follow(send, origin, next)
  }
}

async function follow(send: TestApp['send'], origin: string, next = ''): Promise<Answer> {
  assert.ok(next.startsWith(`${origin}/v1/pets?`), next)
  return send(next.slice(origin.length))
}
