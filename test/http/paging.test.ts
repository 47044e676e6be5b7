import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { operations } from '../../src/contract/operations/operations.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

test('every page but the last has an absolute link to the next', async (t) => {
  const { send, storage, origin } = await startApp(t)
  await addAnimals(storage, 21)

  const answer = await send('/v1/pets')

  const link = answer.headers.get('link') ?? ''
  assert.match(link, /^<[^<>]+>; rel="next"$/)
  assert.ok(link.startsWith(`<${origin}/v1/pets?`), link)
})

test('Next-Cursor is the cursor of the link, and the last page has none', async (t) => {
  const { send, sendJson, create } = await startApp(t)
  for (const name of ['Rex', 'Tom']) {
    await create({ name, categoryId: 1, status: 'available' })
    await sendJson('POST /v1/categories', { name })
  }
  for (const petId of [1, 2]) await sendJson('POST /v1/store/orders', { petId })

  for (const path of ['/v1/pets', '/v1/store/orders', '/v1/categories']) {
    const first = await send(`${path}?limit=1`)
    const cursor = first.headers.get('next-cursor')
    const second = await send(`${path}?limit=1&cursor=${cursor}`)

    assert.equal(cursor, cursorOf(first))
    assert.equal(second.status, 200)
    assert.equal(second.headers.get('next-cursor'), null)
    assert.notDeepEqual(second.body, first.body)
  }
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

test('the limit may change with the same cursor', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 30)
  const cursor = cursorOf(await send('/v1/pets?limit=2'))

  for (const [query, ids] of [
    ['limit=1&', range(3, 3)],
    ['limit=5&', range(3, 7)],
    ['limit=100&', range(3, 30)],
    ['', range(3, 22)],
  ] as const) {
    await t.test(`?${query}cursor`, async () => {
      const answer = await send(`/v1/pets?${query}cursor=${cursor}`)

      assert.deepEqual(idsOf(answer), ids)
    })
  }
})

test('a link still works after animals were added', async (t) => {
  const { send, create, storage, origin } = await startApp(t)
  await addAnimals(storage, 3)
  const next = nextOf(await send('/v1/pets?limit=2'))
  for (let added = 0; added < 3; added++) await create({ name: 'late', categoryId: 1 })

  const answer = await follow(send, origin, next)

  assert.deepEqual(idsOf(answer), [3, 4])
})

test('a cursor with any one character changed is refused', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 3)
  const cursor = cursorOf(await send('/v1/pets?limit=2'))

  for (const position of range(0, cursor.length - 1)) {
    await t.test(`character ${position + 1}`, async () => {
      for (const character of 'AaBZz059_-.~ =') {
        if (character === cursor[position]) continue
        const damaged = cursor.slice(0, position) + character + cursor.slice(position + 1)
        const answer = await send(`/v1/pets?limit=2&cursor=${encodeURIComponent(damaged)}`)
        assertError(answer, 'invalid_parameter')
        assert.match((answer.body as { message: string }).message, /\bcursor\b/)
      }
    })
  }
})

test('a cursor cut short by any length is refused', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 3)
  const cursor = cursorOf(await send('/v1/pets?limit=2'))

  for (const length of range(1, cursor.length - 1)) {
    await t.test(`first ${length} characters`, async () => {
      assertError(await send(`/v1/pets?limit=2&cursor=${cursor.slice(0, length)}`), 'invalid_parameter')
    })
    await t.test(`last ${length} characters`, async () => {
      assertError(await send(`/v1/pets?limit=2&cursor=${cursor.slice(cursor.length - length)}`), 'invalid_parameter')
    })
  }
})

test('a made-up cursor is refused', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 3)
  const cursor = cursorOf(await send('/v1/pets?limit=2'))
  const damaged = {
    'with a character more': `${cursor}A`,
    'with four characters more': `${cursor}AAAA`,
    'with a character in front': `A${cursor}`,
    'padded once': `${cursor}%3D`,
    'padded twice': `${cursor}%3D%3D`,
    'with a space behind': `${cursor}%20`,
    'with a space in front': `%20${cursor}`,
    'with a line end behind': `${cursor}%0A`,
    'with a NUL behind': `${cursor}%00`,
    'with a space inside': `${cursor.slice(0, 8)}%20${cursor.slice(8)}`,
    'twice in a row': cursor + cursor,
    'in other case': swapCase(cursor),
    backwards: cursor.split('').toReversed().join(''),
    'of zeros only': 'A'.repeat(cursor.length),
    'an id': '2',
    'a page number': '-1',
    null: 'null',
    'in quotes': `%22${cursor}%22`,
    'an emoji': '%F0%9F%90%B6',
    'very long': cursor.repeat(100),
    'given twice': `${cursor}&cursor=${cursor}`,
  }

  for (const [what, value] of Object.entries(damaged)) {
    await t.test(what, async () => {
      assertError(await send(`/v1/pets?limit=2&cursor=${value}`), 'invalid_parameter')
    })
  }
})

test('a damaged cursor is refused even if a similar page is cached', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 5)
  const cursor = cursorOf(await send('/v1/pets?limit=2'))
  await send(`/v1/pets?limit=2&cursor=${cursor}`)
  await send(`/v1/pets?limit=2&cursor=${cursor}`, { headers: { prefer: 'count=exact' } })

  for (const damaged of ['', '%20', `${cursor}%20`, `${cursor}%201`, `%20${cursor}`, `1%20${cursor}`])
    assertError(await send(`/v1/pets?limit=2&cursor=${damaged}`), 'invalid_parameter')
})

test('an empty cursor is refused', async (t) => {
  const { send } = await startApp(t)

  for (const query of ['cursor', 'cursor=']) assertError(await send(`/v1/pets?${query}`), 'invalid_parameter')
})

test('a cursor used with another filter is refused', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 36)
  const filters = [
    '',
    'status=available&',
    'status=sold&',
    'categoryId=1&',
    'categoryId=2&',
    'status=sold&categoryId=1&',
    'status=sold&categoryId=2&',
  ]
  const others = [...filters, 'categoryId=-1&', 'categoryId=11&', 'id=1&', 'id=2&', 'status=sold&categoryId=1&id=3&']

  for (const filter of filters) {
    const cursor = cursorOf(await send(`/v1/pets?${filter}limit=1`))
    for (const other of others) {
      if (other === filter) continue
      await t.test(`?${filter} then ?${other}`, async () => {
        assertError(await send(`/v1/pets?${other}limit=1&cursor=${cursor}`), 'invalid_parameter')
      })
    }
  }
})

test('the filters of a cursor may come in another order', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 36)
  const cursor = cursorOf(await send('/v1/pets?status=available&categoryId=0&limit=1'))

  const answer = await send(`/v1/pets?cursor=${cursor}&limit=1&categoryId=0&status=available`)

  assert.deepEqual(idsOf(answer), [13])
})

for (const [environment, base] of [
  ['production', 'https://petstore.example/v1'],
  ['staging', 'https://staging.petstore.example/shop/v1'],
] as const) {
  test(`the link starts at the configured base address of ${environment}, whatever the Host header says`, async (t) => {
    const { send, sendRaw, storage, key } = await startApp(t, {
      environment,
      baseUrls: {
        production: 'https://petstore.example/v1',
        staging: 'https://staging.petstore.example/shop/v1',
      },
    })
    await addAnimals(storage, 2)

    const answers = [await send('/v1/pets?limit=1'), await listWithHost({ sendRaw, key }, 'other.example')]

    for (const answer of answers) assert.ok(nextOf(answer)?.startsWith(`${base}/pets?limit=1&cursor=`))
  })
}

test('without a configured base address the link starts at the Host of the request', async (t) => {
  const { sendRaw, storage, key } = await startApp(t)
  await addAnimals(storage, 2)

  for (const host of ['shop.example', 'shop.example:8080', '10.0.0.7', '[::1]:8081', '[2001:db8::1]', 'localhost']) {
    await t.test(`Host: ${host}`, async () => {
      const answer = await listWithHost({ sendRaw, key }, host)

      assert.ok(nextOf(answer)?.startsWith(`http://${host}/v1/pets?limit=1&cursor=`))
    })
  }
})

test('an invalid Host header is refused and not echoed', async (t) => {
  const { sendRaw, storage, key } = await startApp(t)
  await addAnimals(storage, 2)
  const hosts = [
    'evil.example/path',
    'evil.example?query',
    'evil.example#part',
    'evil.example\\path',
    'user@evil.example',
    'user:secret@evil.example',
    'evil.example>; rel="next", <http://evil.example',
    '"><script>alert(1)</script>',
    'evil.example, other.example',
    'evil example',
    'evil.example:port',
    'evil.example:123456',
    '[evil.example]',
    '%65vil.example',
    'http://evil.example',
    '\u00e9vil.example',
  ]

  for (const host of hosts) {
    await t.test(`Host: ${host}`, async () => {
      const answer = await listWithHost({ sendRaw, key }, host)

      assert.equal(answer.status, 400)
      assert.ok(!answer.text.includes('evil'))
    })
  }
})

test('with an empty Host header the link is relative to the root', async (t) => {
  const { sendRaw, storage, key } = await startApp(t)
  await addAnimals(storage, 2)

  const answer = await listWithHost({ sendRaw, key }, '')

  assert.match(answer.headers.get('link') ?? '', /^<\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/)
})

test('a request without a Host header, as HTTP/1.0 allows, gets a link too', async (t) => {
  const { sendRaw, storage, key } = await startApp(t)
  await addAnimals(storage, 2)

  const [answer] = readAnswers(await sendRaw(`GET /v1/pets?limit=1 HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`))

  assert.match(answer?.headers.get('link') ?? '', /^<\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/)
})

test('forwarded headers affect the link only if they come from a trusted proxy', async (t) => {
  const headers = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' }

  for (const trustProxy of [false, true]) {
    await t.test(`trustProxy ${trustProxy}`, async (t) => {
      const { send, storage, origin } = await startApp(t, { trustProxy })
      await addAnimals(storage, 2)

      const answer = await send('/v1/pets?limit=1', { headers })

      const base = trustProxy ? 'https://shop.example' : origin
      assert.ok(nextOf(answer)?.startsWith(`${base}/v1/pets?limit=1&cursor=`))
    })
  }
})

/** Animals 1, 2, 3, …: of categories 0, 1, 2 in turn, and available, pending, sold, without a status in turn. */
async function addAnimals(storage: Storage, count: number): Promise<void> {
  const statuses = ['available', 'pending', 'sold'] as const
  for (let index = 0; index < count; index++) {
    const status = statuses[index % 4]
    await storage.pets.create({ name: `animal ${index}`, categoryId: BigInt(index % 3), ...(status && { status }) })
  }
}

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

async function listWithHost({ sendRaw, key }: Pick<TestApp, 'sendRaw' | 'key'>, host: string): Promise<Answer> {
  const head = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n`
  const [answer] = readAnswers(await sendRaw(Buffer.from(`${head}\r\n`, 'latin1')))
  assert.ok(answer)
  return answer
}

function nextOf(answer: Answer): string | undefined {
  return /^<([^<>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
}

function cursorOf(answer: Answer): string {
  const cursor = new URL(nextOf(answer) ?? '').searchParams.get('cursor')
  assert.ok(cursor)
  return cursor
}

function idsOf(answer: Answer): number[] {
  return (answer.body as { id: number }[]).map(({ id }) => id)
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

for (const { path, parameters } of operations.filter(({ method }) => method === 'GET')) {
  const { examples: [example] = [] }: { examples?: string[] } = parameters?.query?.properties['cursor'] ?? {}
  if (example === undefined) continue
  test(`the example cursor of GET ${path} in the document is valid`, async (t) => {
    const { send, storage } = await startApp(t)
    await storage.webhooks.create({ url: 'https://shop.example.com/hook' })

    assert.equal((await send(`/v1${path.replace('{webhookId}', '1')}?cursor=${example}`)).status, 200)
  })
}
