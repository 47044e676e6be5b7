import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/contract/operations/operations.ts'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { addAnimals, idsOf, nextOf, range } from '../support/page-requests.ts'

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

test('a cursor that a client has stored stays valid', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 36)

  for (const [query, cursor] of [
    ['', 'AAAAAAAAAAP8K47T'],
    ['status=available&', 'AAAAAAAAAAMshMCu'],
    ['sort=-id&', 'AAAAAAAAAAPkPoew'],
    ['status=sold&name=a%20b,c&sort=-id&', 'AAAAAAAAAAOBjLkN'],
    ['ids=1,2&sort=id&', 'AAAAAAAAAAMUlm55'],
  ] as const)
    assert.equal((await send(`/v1/pets?${query}cursor=${cursor}`)).status, 200, query)
})

test('the filters of a cursor may come in another order', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 36)
  const cursor = cursorOf(await send('/v1/pets?status=available&categoryId=0&limit=1'))

  const answer = await send(`/v1/pets?cursor=${cursor}&limit=1&categoryId=0&status=available`)

  assert.deepEqual(idsOf(answer), [13])
})

for (const { path, parameters } of operations.filter(({ method }) => method === 'GET')) {
  const { examples: [example] = [] }: { examples?: string[] } = parameters?.query?.properties['cursor'] ?? {}
  if (example === undefined) continue
  test(`the example cursor of GET ${path} in the document is valid`, async (t) => {
    const { send, storage } = await startApp(t)
    await storage.webhooks.create({ url: 'https://shop.example.com/hook' })

    assert.equal((await send(`/v1${path.replace('{webhookId}', '1')}?cursor=${example}`)).status, 200)
  })
}

function cursorOf(answer: Answer): string {
  const cursor = new URL(nextOf(answer) ?? '').searchParams.get('cursor')
  assert.ok(cursor)
  return cursor
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
