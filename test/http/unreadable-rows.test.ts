import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, type TestContext, test } from 'node:test'
import { watchUnreadableRows } from '../../src/cli/serving/log/database-log.ts'
import { openStorage } from '../../src/storage/open.ts'
import { leftOut, type UnreadableRow } from '../../src/storage/shared/rows/unreadable-row.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { newPostgresDatabase, runSql } from '../support/postgres-databases.ts'

/** Later than every date that JavaScript can show. */
const impossible = '9000000000000000000'

// One row of each kind, in the middle of its list.
const damage = `
  UPDATE pets SET status = 'lost' WHERE id = 3;
  UPDATE orders SET placed_at = ${impossible} WHERE id = 2;
  UPDATE categories SET name = '' WHERE id = 2;
  UPDATE events SET at = ${impossible} WHERE id = 2;
  UPDATE events SET data = '{"id":3' WHERE id = 3;
  UPDATE events SET author = 'nobody' WHERE id = 4;
  UPDATE api_keys SET created_at = ${impossible} WHERE id = 'key_till'`

const engines = {
  sqlite: {
    url: (t: TestContext) => sqlite.url(t),
    async execute(url: string, sql: string) {
      const db = new DatabaseSync(url.slice('sqlite:'.length))
      db.exec(`PRAGMA ignore_check_constraints = ON; ${sql}`)
      db.close()
    },
  },
  postgres: {
    // Of its own: a constraint is dropped.
    url: () => newPostgresDatabase(),
    execute: (url: string, sql: string) => runSql(url, `ALTER TABLE pets DROP CONSTRAINT pets_status_check; ${sql}`),
  },
}

const withoutNames = {
  sqlite(url: string) {
    const db = new DatabaseSync(url.slice('sqlite:'.length), { defensive: false })
    db.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'TEXT    NOT NULL', 'TEXT') WHERE name = 'pets'`)
    db.close()
    const again = new DatabaseSync(url.slice('sqlite:'.length))
    again.exec('UPDATE pets SET name = NULL WHERE id = 2')
    again.close()
  },
  postgres: (url: string) =>
    runSql(url, 'ALTER TABLE pets ALTER name DROP NOT NULL; UPDATE pets SET name = NULL WHERE id = 2'),
}

for (const name of ['sqlite', 'postgres'] as const) {
  test(`${name}: an animal without a name is left out of lists and searches`, async (t) => {
    const url = await engines[name].url(t)
    const filling = await openStorage(url)
    for (let id = 1; id <= 3; id++) await filling.pets.create({ name: `Rex ${id}`, categoryId: 1n })
    await filling.close()
    await withoutNames[name](url)
    const storage = await openStorage(url)
    t.after(() => storage.close())
    const { send } = await startApp(t, { storage })

    for (const query of ['', 'sort=name', 'sort=-id', 'name=rex', 'name=rex&sort=-name', 'name=rex&categoryId=1']) {
      const { status, body } = await send(`/v1/pets?${query}`)
      const ids = (body as { id: number }[]).map(({ id }) => id).toSorted((one, other) => one - other)
      assert.deepEqual([status, ids], [200, [1, 3]], query)
    }
  })
}

for (const [name, { url: newUrl, execute }] of Object.entries(engines)) {
  test(`${name}: a bulk change leaves out a damaged animal, also the last one, and changes the others`, async (t) => {
    const url = await newUrl(t)
    const filling = await openStorage(url)
    for (const animal of ['Rex', 'Tom', 'Mia']) await filling.pets.create({ name: animal, categoryId: 1n })
    await filling.close()
    await execute(url, "UPDATE pets SET status = 'lost' WHERE id = 3")
    const storage = await openStorage(url)
    t.after(() => storage.close())
    const { sendJson } = await startApp(t, { storage })

    for (const [filter, categoryId] of [
      [{ categoryId: 1 }, 2],
      [{ ids: [1, 2, 3] }, 4],
    ] as const) {
      const { body } = await sendJson('POST /v1/pets/bulk', { filter, change: { categoryId } })
      assert.deepEqual(body, { changed: 2, unchanged: 0, refused: 0, refusals: [] })
    }
  })

  let shop: TestApp
  const found: string[] = []
  const listen = (message: unknown) => void found.push((message as UnreadableRow).message)
  const ends: (() => unknown)[] = []
  const t = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext

  before(async () => {
    const url = await newUrl(t)
    const storage = await openStorage(url)
    shop = await startApp(t, { storage })
    t.after(() => storage.close())
    for (let id = 1; id <= 6; id++)
      await storage.pets.create({ name: `Rex ${id}`, categoryId: 1n, status: 'available' })
    for (const petId of [1n, 2n, 4n]) await storage.orders.place({ petId, customer: 'Ada' })
    for (const id of [1n, 2n, 3n]) await storage.categories.put({ id, name: `Dogs ${id}` })
    await shop.makeKey({ id: 'key_till', name: 'till' })
    await shop.makeKey({ id: 'key_shop', name: 'shop' })
    await execute(url, damage)
    leftOut.subscribe(listen)
  })
  after(async () => {
    leftOut.unsubscribe(listen)
    for (const end of ends.toReversed()) await end()
  })

  /** The ids of a page, and of the pages after it. */
  async function idsOf(path: string): Promise<string[][]> {
    const pages: string[][] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { status, body, headers } = await shop.send(next)
      assert.equal(status, 200, next)
      pages.push((body as { id: number | string }[]).map(({ id }) => String(id).replace(/-.*/, '')))
      next = /<https?:\/\/[^/]+([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    return pages
  }

  const lists: [path: string, ids: string[][], reported: RegExp][] = [
    ['/v1/pets', [['1', '2', '4', '5', '6']], /^The animal 3 cannot be read: it has the status "lost"\.$/],
    ['/v1/pets?sort=-id', [['6', '5', '4', '2', '1']], /^The animal 3 /],
    ['/v1/pets?limit=1', [['1'], ['2'], [], ['4'], ['5'], ['6']], /^The animal 3 /],
    ['/v1/pets?limit=1&sort=name', [['1'], ['2'], ['4'], ['5'], ['6']], /^The animal 3 /],
    ['/v1/pets?limit=1&sort=-name', [['6'], ['5'], ['4'], ['2'], ['1']], /^The animal 3 /],
    ['/v1/pets?limit=2&sort=name', [['1', '2'], ['4'], ['5', '6']], /^The animal 3 /],
    ['/v1/pets?name=rex', [['1', '2', '4', '5', '6']], /^The animal 3 /],
    ['/v1/pets?categoryId=1', [['1', '2', '4', '5', '6']], /^The animal 3 /],
    [
      '/v1/pets?categoryId=1&sort=-id&limit=4',
      [
        ['6', '5', '4'],
        ['2', '1'],
      ],
      /^The animal 3 /,
    ],
    ['/v1/pets?categoryId=1&sort=name', [['1', '2', '4', '5', '6']], /^The animal 3 /],
    ['/v1/pets?categoryId=1&name=rex', [['1', '2', '4', '5', '6']], /^The animal 3 /],
    ['/v1/store/orders', [['1', '3']], /^The order 2 cannot be read: placed_at, 9000000000000000000, is not a time\.$/],
    ['/v1/store/orders?limit=1', [['1'], [], ['3']], /^The order 2 /],
    ['/v1/store/orders?customer=ada', [['1', '3']], /^The order 2 /],
    ['/v1/categories', [['1', '3']], /^The category 2 cannot be read: it has no name\.$/],
    ['/v1/categories?limit=1', [['1'], [], ['3']], /^The category 2 /],
    ['/v1/categories?name=dogs', [['1', '3']], /^The category 2 /],
    [
      '/v1/events?limit=6',
      [
        ['1', '5', '6'],
        ['7', '8', '9', '10', '11', '12'],
      ],
      /^The event 2 cannot be read: 9000/,
    ],
    [
      '/v1/events?limit=1&sort=-id&petId=4',
      [['12'], ['11'], []],
      /^The event 4 cannot be read: its author is not JSON/,
    ],
    ['/v1/events?petId=3', [[]], /^The event 3 cannot be read: its data is not JSON\.$/],
  ]
  for (const [path, ids, reported] of lists) {
    test(`${name}: a damaged row is left out of ${path} and reported`, async () => {
      found.length = 0

      assert.deepEqual(await idsOf(path), ids)

      assert.match(found[0] ?? '', reported)
    })
  }

  test(`${name}: a damaged row is left out of a page with large names, which are all there`, async () => {
    const created = await shop.create({ name: 'x'.repeat(60_000), categoryId: 1 })
    const { id } = created.body as { id: number }

    assert.deepEqual(await idsOf('/v1/pets'), [['1', '2', '4', '5', '6', String(id)]])
    assert.deepEqual(await idsOf(`/v1/pets?sort=-id&limit=5`), [
      [String(id), '6', '5', '4'],
      ['2', '1'],
    ])
    assert.deepEqual(await idsOf('/v1/pets?sort=name'), [['1', '2', '4', '5', '6', String(id)]])

    await shop.send(`/v1/pets/${id}`, { method: 'DELETE' })
  })

  test(`${name}: a damaged key is left out of the list of keys`, async () => {
    const { status, body } = await shop.send('/v1/keys')

    assert.equal(status, 200)
    const names = new Set((body as { name: string }[]).map((key) => key.name))
    assert.deepEqual([names.has('shop'), names.has('till')], [true, false])
  })

  test(`${name}: a damaged row alone is an internal error, and others that are read with it are not`, async () => {
    const paths = ['/v1/pets/3', '/v1/pets/4', '/v1/store/orders/2', '/v1/categories/2', '/v1/keys/key_till']

    const answers = await Promise.all(paths.map((path) => shop.send(path)))

    assert.deepEqual(
      answers.map(({ status }) => status),
      [500, 200, 500, 500, 500],
    )
    assert.match(answers[0]?.text ?? '', /"code":"internal"/)
  })

  test(`${name}: a change of a damaged animal fails, and others of the same group do not`, async () => {
    const change = (id: number) => shop.sendJson(`PATCH /v1/pets/${id}`, { name: `Rex ${id}` })

    const answers = await Promise.all([change(5), change(3), change(6)])

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 500, 200],
    )
  })

  test(`${name}: keys are made and revoked beside a damaged one`, async () => {
    const created = await shop.sendJson('POST /v1/keys', { name: 'web', permission: 'admin' })
    const { id } = created.body as { id: string }
    const revoked = await shop.sendJson(`POST /v1/keys/${id}/revoke`, {})

    assert.deepEqual([created.status, revoked.status], [201, 200])
  })

  test(`${name}: an export has all animals that can be read`, async () => {
    const { status, text } = await shop.send('/v1/pets/export?format=csv')

    assert.equal(status, 200)
    assert.deepEqual(text.match(/^\d+(?=,)/gm), ['1', '2', '4', '5', '6'])
  })

  test(`${name}: an export for a spreadsheet has the animals of a damaged category, without its name`, async () => {
    found.length = 0
    const created = await shop.create({ name: 'Tom', categoryId: 2 })
    const { id } = created.body as { id: number }

    const { status, text } = await shop.send('/v1/pets/export?spreadsheet=true')
    await shop.send(`/v1/pets/${id}`, { method: 'DELETE' })

    assert.equal(status, 200)
    assert.deepEqual(text.split('\n').slice(-4), [
      '5,Rex 5,1,available,Dogs 1',
      '6,Rex 6,1,available,Dogs 1',
      `${id},Tom,2,,`,
      '',
    ])
    assert.ok(found.includes('The category 2 cannot be read: it has no name.'))
  })

  test(`${name}: a stream sends the events after a damaged one, and its position passes it`, async () => {
    const controller = new AbortController()
    const headers = { authorization: `Bearer ${shop.key}`, accept: 'text/event-stream', 'last-event-id': '1' }
    const response = await fetch(`${shop.origin}/v1/events`, { headers, signal: controller.signal })
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString()
      if (text.includes('"id":"12-')) break
    }
    controller.abort()

    const frames = [...text.matchAll(/^id: (\d+).*\n(data: )?/gm)].map(([, id, data]) => `${id} ${data !== undefined}`)
    // The first is the start of the stream.
    assert.deepEqual(frames.slice(0, 5), ['1 false', '2 false', '3 false', '4 false', '5 true'])
  })

  test(`${name}: the inventory counts what can be read or not`, async () => {
    const { status, body } = await shop.send('/v1/store/inventory')

    assert.deepEqual([status, (body as { total: number }).total], [200, 6])
  })
}

test('a damaged row is logged once and counted each time', async () => {
  const written: string[] = []
  const metrics = watchUnreadableRows('error', (sentence) => void written.push(sentence))
  const row = { kind: 'order', id: 2n, message: 'The order 2 cannot be read: it has no status.' }

  for (let times = 0; times < 3; times++) leftOut.publish(row)

  assert.deepEqual((await metrics())[0]?.values, [['kind="order"', 3]])
  assert.deepEqual(written, [
    'The order 2 cannot be read: it has no status. Lists leave it out. Run petstore check, and restore a backup or ' +
      'repair the row.',
  ])
})
