import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { encodedPage } from '../../src/http/replies/page.ts'
import type { Caller } from '../../src/inventory/caller.ts'
import { callerLeft } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { idsOfAllPages } from '../support/all-pages.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { postgres, sqlite, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { until } from '../support/until.ts'

test('animals are found by the words of their names, without regard to case and accents', async (t) => {
  const app = await startShop(t)

  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=zoe'), [2, 4])
  assert.deepEqual(await idsOfAllPages(app, `/v1/pets?name=${encodeURIComponent('BRÁV zo')}`), [4])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=rave'), [])
})

test('a search works with filters, sort and paging', async (t) => {
  const app = await startShop(t)

  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=the+b&limit=1'), [1, 3, 4])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=the&sort=-id&limit=2'), [4, 3, 1])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=the&sort=-name&limit=2'), [4, 1, 3])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=the&status=sold&limit=1'), [3, 4])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=the&categoryId=1&limit=1'), [1, 3])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=the&id=3'), [3])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=zoe&id=3'), [])
})

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a search that needs the index works with filters and paging`, async (t) => {
    const app = await startApp(t, { engine })
    // More than a search reads of a list before it asks the index.
    const many = Array.from({ length: 2_100 }, () => 'Rex,1,sold')
    const few = ['Zoë,2,available', 'Zoë,1,sold', 'Zoë,2,sold', 'Zoë,1,', 'Zoë,1,sold', 'Tom,1,sold']
    const headers = { 'content-type': 'text/csv' }
    const body = ['name,categoryId,status', ...many, ...few].join('\n')
    assert.equal((await app.send('/v1/pets/import', { method: 'POST', headers, body })).status, 200)

    for (const limit of [1, 10]) {
      const found = (query: string) => idsOfAllPages(app, `/v1/pets?name=zoe&limit=${limit}&${query}`)

      assert.deepEqual(await found(''), [2_101, 2_102, 2_103, 2_104, 2_105])
      assert.deepEqual(await found('status=sold'), [2_102, 2_103, 2_105])
      assert.deepEqual(await found('categoryId=1'), [2_102, 2_104, 2_105])
      assert.deepEqual(await found('categoryId=1&status=sold'), [2_102, 2_105])
    }
  })
}

test('the link to the next page has the search, encoded, and its cursor belongs to it', async (t) => {
  const { send, create } = await startApp(t)
  for (let count = 0; count < 2; count++) await create({ name: 'Zoë & Co', categoryId: 1 })

  const { headers } = await send(`/v1/pets?limit=1&name=${encodeURIComponent('zoë & co')}`)
  const next = new URL(/<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '')
  const cursor = next.searchParams.get('cursor')

  assert.equal(next.searchParams.get('name'), 'zoë & co')
  assertError(await send(`/v1/pets?limit=1&cursor=${cursor}`), 'invalid_parameter')
  assertError(await send(`/v1/pets?limit=1&name=zo&cursor=${cursor}`), 'invalid_parameter')
})

for (const name of ['', '!!', '%20', 'a'.repeat(101), 'a&name=b', '%F0%9F%90%95']) {
  test(`a search for "${name.slice(0, 20)}" is refused`, async (t) => {
    const { send } = await startApp(t)

    assertError(await send(`/v1/pets?name=${name}`), 'invalid_parameter')
    assertError(await send(`/v1/categories?name=${name}`), 'invalid_parameter')
  })
}

test('a search of a hundred characters is allowed', async (t) => {
  const { send } = await startApp(t)

  assert.deepEqual((await send(`/v1/pets?name=${'a'.repeat(100)}`)).body, [])
})

test('count=exact is not applied together with a search', async (t) => {
  const { send } = await startShop(t)

  const { status, headers } = await send('/v1/pets?name=zoe', { headers: { prefer: 'count=exact, handling=strict' } })

  assert.deepEqual([status, headers.get('x-total-count')], [200, null])
  assert.equal(headers.get('preference-applied'), 'handling=strict')
})

test('a search shows an animal that was renamed since', async (t) => {
  const app = await startShop(t)
  await idsOfAllPages(app, '/v1/pets?name=rex')
  await app.sendJson('PATCH /v1/pets/2', { name: 'Rex' })

  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=rex'), [1, 2])
})

test('categories are found by name, page by page', async (t) => {
  const app = await startApp(t)
  for (const name of ['Dogs', 'Cats', 'Hot Dögs', 'Birds']) await app.sendJson('POST /v1/categories', { name })

  assert.deepEqual(await idsOfAllPages(app, '/v1/categories?name=dog&limit=1'), [1, 3])
  assert.deepEqual(await idsOfAllPages(app, '/v1/categories?name=%C3%B6'), [])
})

test('orders are found by customer, page by page, and a cursor belongs to its search', async (t) => {
  const app = await startApp(t)
  for (const [index, customer] of ['Ada Lovelace', 'Grace Hopper', 'Zoë & Adam'].entries()) {
    await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
    await app.sendJson('POST /v1/store/orders', { petId: index + 1, customer })
  }

  assert.deepEqual(await idsOfAllPages(app, '/v1/store/orders?customer=ada&limit=1'), [1, 3])
  assert.deepEqual(
    await idsOfAllPages(app, `/v1/store/orders?customer=${encodeURIComponent('zoe & ad')}&sort=-id&limit=1`),
    [3],
  )
  const link = (await app.send('/v1/store/orders?customer=ada&limit=1')).headers.get('link') ?? ''
  const cursor = /cursor=([^>&]+)/.exec(link)?.[1]
  assertError(await app.send(`/v1/store/orders?customer=grace&cursor=${cursor}`), 'invalid_parameter')
  for (const text of ['', '%21', 'a'.repeat(101)]) {
    assertError(await app.send(`/v1/store/orders?customer=${text}`), 'invalid_parameter')
  }
})

test('orders are found by the name of their animal, page by page, and a cursor belongs to its search', async (t) => {
  const app = await startApp(t)
  for (const [index, name] of ['Bella', 'Rex', 'Isa & Bellà'].entries()) {
    await app.create({ name, categoryId: 1, status: 'available' })
    await app.sendJson('POST /v1/store/orders', { petId: index + 1, customer: 'Ada' })
  }

  assert.deepEqual(await idsOfAllPages(app, '/v1/store/orders?petName=bella&limit=1'), [1, 3])
  assert.deepEqual(
    await idsOfAllPages(
      app,
      `/v1/store/orders?petName=${encodeURIComponent('isa & bel')}&customer=ada&sort=-id&limit=1`,
    ),
    [3],
  )
  const link = (await app.send('/v1/store/orders?petName=bella&limit=1')).headers.get('link') ?? ''
  const cursor = /cursor=([^>&]+)/.exec(link)?.[1]
  assertError(await app.send(`/v1/store/orders?petName=rex&cursor=${cursor}`), 'invalid_parameter')
  assertError(await app.send(`/v1/store/orders?customer=bella&cursor=${cursor}`), 'invalid_parameter')
  for (const text of ['', '%21', 'a'.repeat(101)]) {
    assertError(await app.send(`/v1/store/orders?petName=${text}`), 'invalid_parameter')
  }
})

test('a page of a search may be empty and have a next one: all pages together are all that match', async (t) => {
  const searchBudget = { ms: Number.MAX_SAFE_INTEGER, scannedFirst: 2, pets: 2 }
  const storage = await openStorage('sqlite::memory:', { searchBudget })
  t.after(() => storage.close())
  const app = await startShop(t, storage)
  for (const name of ['Dogs', 'Cats', 'Birds', 'Hot dogs']) await app.sendJson('POST /v1/categories', { name })

  const { body, headers } = await app.send('/v1/pets?name=zoe+brave')

  assert.deepEqual(body, [])
  assert.match(headers.get('link') ?? '', /rel="next"/)
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=zoe+brave'), [4])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=zoe&sort=-id&status=sold'), [4, 2])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?name=the&sort=-name&limit=1'), [4, 1, 3])
  assert.deepEqual(await idsOfAllPages(app, '/v1/categories?name=hot'), [6])
  assert.deepEqual((await app.send('/v1/pets/export?name=zoe+brave&format=ndjson')).text.trim().split('\n').length, 1)
  assert.equal(((await app.send('/v1/pets')).body as unknown[]).length, 4)
})

test('the tag of a page of a search covers where the next one starts', () => {
  const tags = (isSearch: boolean) =>
    [{ link: '/pets?cursor=1' }, { link: '/pets?cursor=2' }, undefined].map(
      (next) => encodedPage({ body: '[]', digest: 'digest' }, { next, isSearch }).etag,
    )

  assert.equal(new Set(tags(true)).size, 3)
  assert.equal(new Set(tags(false)).size, 2)
})

for (const [path, header] of [
  ['in front of the gates', ''],
  ['through the gates', 'Prefer: handling=strict\r\n'],
]) {
  test(`a search ${path} learns that its client has left`, async (t) => {
    const found = await sqliteInMemory.open(t)
    const asked = Promise.withResolvers<Caller>()
    const pets: Storage['pets'] = {
      ...found.pets,
      async list(_query, _limit, _after, caller) {
        assert.ok(caller)
        if (!caller.signal.aborted) asked.resolve(caller)
        await once(caller.signal, 'abort')
        throw callerLeft()
      },
    }
    const { origin, key, failures, makeKey } = await startApp(t, { storage: { ...found, pets } })
    const { id, secret } = await makeKey()
    await fetch(`${origin}/v1/pets/1`, { headers: { authorization: `Bearer ${secret}` } })
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `GET /v1/pets?name=rex HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${secret}\r\n${header}\r\n`,
    )
    const caller = await asked.promise

    socket.resetAndDestroy()
    await until(async () => caller.signal.aborted)

    assert.equal(caller.id, id)
    assert.notEqual(key, secret)
    assert.deepEqual(failures, [])
  })
}

/** Rex the Brave, Zoë, Bella the Brave, Zoe the Brave. */
async function startShop(t: Parameters<typeof startApp>[0], storage?: Storage): Promise<TestApp> {
  const app = await startApp(t, storage && { storage })
  await app.create({ name: 'Rex the Brave', categoryId: 1 })
  await app.create({ name: 'Zoë', categoryId: 1, status: 'sold' })
  await app.create({ name: 'Bella the Brave', categoryId: 1, status: 'sold' })
  await app.create({ name: 'Zoe the Brave', categoryId: 2, status: 'sold' })
  return app
}
