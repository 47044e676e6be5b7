import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, rawRequest, readAnswers, startApp } from '../support/app.ts'
import { engines, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { unknownIds } from '../support/unknown-ids.ts'

/** A shop with the animals 1 to `count`, all of them available. */
async function startShop(t: TestContext, count: number, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options)
  for (let id = 1; id <= count; id++)
    await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n, status: 'available' })
  const remove = (id: number | string, headers: Record<string, string> = {}) =>
    app.send(`/v1/pets/${id}`, { method: 'DELETE', headers })
  return { ...app, remove }
}

for (const engine of engines) {
  test(`${engine.name}: deletePet removes the animal and returns 204 without a body`, async (t) => {
    const { remove, send } = await startShop(t, 2, { engine })

    const answer = await remove(1)

    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    assert.equal(answer.headers.get('content-type'), null)
    assertError(await send('/v1/pets/1'), 'not_found')
    assertError(await remove(1), 'not_found')
    assert.equal((await send('/v1/pets?id=1')).text, '[]')
    assert.deepEqual(idsOf(await send('/v1/pets')), [2])
  })

  test(`${engine.name}: the id of a deleted animal is never assigned again`, async (t) => {
    const { remove, create } = await startShop(t, 3, { engine })

    for (const id of [3, 2, 1]) await remove(id)
    const created = await create({ name: 'Rex', categoryId: 1 })

    assert.equal((created.body as { id: number }).id, 4)
  })
}

test('a deleted animal cannot be changed or ordered', async (t) => {
  const { remove, sendJson } = await startShop(t, 1)

  await remove(1)

  assertError(await sendJson('PATCH /v1/pets/1', { name: 'Tom' }), 'not_found')
  assertError(await sendJson('POST /v1/store/orders', { petId: 1 }), 'conflict')
})

test('deletePet returns 404 unless the id is the canonical decimal of a stored one', async (t) => {
  const { remove, send } = await startShop(t, 1)

  for (const [what, id] of Object.entries(unknownIds)) {
    await t.test(what, async () => {
      assertError(await remove(id), 'not_found')
    })
  }
  assert.deepEqual(idsOf(await send('/v1/pets')), [1])
})

for (const [what, headers, body] of [
  ['no JSON', ['Content-Type: application/json'], '{'],
  ['no type', [], 'x'],
  ['an empty type', ['Content-Type:'], 'x'],
  ['a type that is none', ['Content-Type: x'], ''],
  ['a coded one', ['Content-Type: application/json', 'Content-Encoding: gzip'], 'x'],
  ['a large one', [], 'x'.repeat(70_000)],
] as const) {
  test(`a body of the request is ignored: ${what}`, async (t) => {
    const { sendRaw, key, send } = await startShop(t, 1)
    const usual = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${key}`]

    const raw = await sendRaw(rawRequest('DELETE /v1/pets/1', [...usual, ...headers], body))

    assert.equal(readAnswers(raw)[0]?.status, 204, raw)
    assert.equal((await send('/v1/pets')).text, '[]')
  })
}

test('a read key cannot delete', async (t) => {
  const { remove, makeKey, send } = await startShop(t, 1)
  const { secret } = await makeKey({ permission: 'read' })

  const answer = await remove(1, { authorization: `Bearer ${secret}` })

  assertError(answer, 'forbidden')
  assert.deepEqual(idsOf(await send('/v1/pets')), [1])
})

test('an animal with an open order cannot be deleted', async (t) => {
  const { remove, sendJson, send } = await startShop(t, 1)
  await sendJson('POST /v1/store/orders', { petId: 1 })

  const answer = await remove(1)

  assertError(answer, 'conflict')
  assert.match(answer.text, /complete or cancel/)
  assert.deepEqual(idsOf(await send('/v1/pets')), [1])
})

for (const end of ['completed', 'cancelled']) {
  test(`after its order is ${end}, an animal can be deleted; the order stays`, async (t) => {
    const { remove, sendJson, send } = await startShop(t, 1)
    await sendJson('POST /v1/store/orders', { petId: 1 })
    const order = await sendJson('PATCH /v1/store/orders/1', { status: end })

    const answer = await remove(1)

    assert.equal(answer.status, 204)
    assert.equal((await send('/v1/store/orders?petId=1')).text, `[${order.text}]`)
  })
}

test('If-Match deletes the animal only if it is unchanged', async (t) => {
  const { remove, sendJson, send } = await startShop(t, 2)
  const stale = (await send('/v1/pets/1')).headers.get('etag') ?? ''
  const etag = (await sendJson('PATCH /v1/pets/1', { name: 'Tom' })).headers.get('etag') ?? ''

  for (const header of [stale, `W/${etag}`, etag.slice(1, -1), '""', `"a", W/${etag}`])
    assertError(await remove(1, { 'if-match': header }), 'precondition_failed')
  assert.deepEqual(idsOf(await send('/v1/pets')), [1, 2])

  assert.equal((await remove(1, { 'if-match': `"a", ${etag}` })).status, 204)
  assert.equal((await remove(2, { 'if-match': '*' })).status, 204)
  assertError(await remove(2, { 'if-match': '*' }), 'not_found')
})

for (const engine of engines) {
  test(`${engine.name}: if many clients delete one animal at once, exactly one succeeds`, async (t) => {
    const { remove } = await startShop(t, 1, { engine })

    const answers = await Promise.all(Array.from({ length: 50 }, () => remove(1)))

    const refused = answers.filter(({ status }) => status !== 204)
    assert.equal(refused.length, 49)
    for (const answer of refused) assertError(answer, 'not_found')
  })

  test(`${engine.name}: if many clients delete and order one animal at once, exactly one succeeds`, async (t) => {
    const { remove, sendJson, send } = await startShop(t, 1, { engine })

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? remove(1) : sendJson('POST /v1/store/orders', { petId: 1 }),
      ),
    )

    assert.equal(answers.filter(({ status }) => status < 300).length, 1)
    const isOrdered = answers.some(({ status }) => status === 201)
    assert.deepEqual(idsOf(await send('/v1/pets')), isOrdered ? [1] : [])
    assert.equal((await send('/v1/store/orders')).text === '[]', !isOrdered)
  })
}

for (const engine of engines) {
  for (const limit of [1, 3, 4]) {
    test(`${engine.name}: paging by ${limit} while animals are deleted and added repeats and skips none`, async (t) => {
      const { remove, create, send, origin } = await startShop(t, 24, { engine })

      const seen: number[] = []
      const removed = new Set<number>()
      const added: number[] = []
      let next: string | undefined = '/v1/pets?limit=' + limit
      while (next !== undefined) {
        const page: Answer = await send(next)
        const ids = idsOf(page)
        seen.push(...ids)
        next = /^<([^<>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]?.slice(origin.length)
        // The one that the cursor stands on, one that was read, and one that is still to come.
        const last = ids.at(-1) as number
        for (const id of [last, last - 1, last + 2]) {
          removed.add(id)
          await remove(id)
        }
        if (added.length < 5) added.push(((await create({ name: 'late', categoryId: 1 })).body as { id: number }).id)
      }

      assert.deepEqual(
        seen,
        [...new Set(seen)].toSorted((a, b) => a - b),
      )
      const stayed = Array.from({ length: 24 }, (_, index) => index + 1).filter((id) => !removed.has(id))
      for (const id of stayed) assert.ok(seen.includes(id), `${id} was skipped`)
    })
  }
}

test('a cached list drops a deleted animal at once', async (t) => {
  const { remove, send } = await startShop(t, 3)

  for (const id of [2, 1, 3]) {
    for (let times = 0; times < 4; times++) await send('/v1/pets')
    const { headers } = await send('/v1/pets')
    await remove(id)

    const after = await send('/v1/pets', { headers: { 'if-none-match': headers.get('etag') ?? '' } })

    assert.equal(after.status, 200)
    assert.ok(!idsOf(after).includes(id))
  }
})

test('a deletion by another process is visible at once', async (t) => {
  const url = await sqlite.url(t)
  const [mine, theirs] = [await openStorage(url), await openStorage(url)]
  t.after(() => Promise.all([mine.close(), theirs.close()]))
  const { send } = await startShop(t, 2, { storage: mine })
  for (let times = 0; times < 4; times++) await send('/v1/pets')

  await theirs.pets.remove(1n)

  assert.deepEqual(idsOf(await send('/v1/pets')), [2])
})

test('the total excludes a deleted animal', async (t) => {
  const { remove, send } = await startShop(t, 3)
  await send('/v1/pets', { headers: { prefer: 'count=exact' } })

  await remove(2)

  const { headers } = await send('/v1/pets', { headers: { prefer: 'count=exact' } })
  assert.equal(headers.get('x-total-count'), '2')
})

function idsOf(answer: Answer): number[] {
  return (answer.body as { id: number }[]).map(({ id }) => id)
}
