import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { etagOf } from '../support/caching-requests.ts'

const paths = { listPets: '/v1/pets', getPet: '/v1/pets/1' }

for (const [operation, path] of Object.entries(paths)) {
  test(`${operation} returns a strong ETag that is stable while nothing changes`, async (t) => {
    const { send, create } = await startApp(t)
    await create({ name: 'Rex', categoryId: 1 })

    const first = await send(path)
    const second = await send(path)

    assert.match(etagOf(first), /^"[\x21\x23-\x7e]+"$/)
    assert.equal(etagOf(second), etagOf(first))
  })

  test(`${operation} returns 304 without a body if If-None-Match has its ETag`, async (t) => {
    const { send, create } = await startApp(t)
    await create({ name: 'Rex', categoryId: 1 })
    const first = await send(path)
    const etag = etagOf(first)
    const values = {
      exact: etag,
      weak: `W/${etag}`,
      'first of a list': `${etag}, "other"`,
      'last of a list': `"other", "another", ${etag}`,
      'in a list without spaces': `"other",${etag},"another"`,
      'weak in a list': `W/"other", W/${etag}`,
      'any at all': '*',
    }

    for (const [what, known] of Object.entries(values)) {
      await t.test(what, async () => {
        const answer = await send(path, { headers: { 'if-none-match': known } })

        assert.equal(answer.status, 304)
        assert.equal(answer.text, '')
        for (const name of ['etag', 'cache-control', 'vary', 'link', 'deprecation'])
          assert.equal(answer.headers.get(name), first.headers.get(name), name)
        assert.equal(answer.headers.get('content-type'), null)
      })
    }
  })

  test(`${operation} returns the full response if If-None-Match lacks its ETag`, async (t) => {
    const { send, create } = await startApp(t)
    await create({ name: 'Rex', categoryId: 1 })
    const first = await send(path)
    const etag = etagOf(first)
    const values = {
      another: '"other"',
      'a list of others': '"other", W/"another"',
      'without its quotes': etag.slice(1, -1),
      'cut short': `${etag.slice(0, -2)}"`,
      'in other case': etag.toLowerCase(),
      empty: '',
      'an asterisk in quotes': '"*"',
    }

    for (const [what, known] of Object.entries(values)) {
      await t.test(what, async () => {
        const answer = await send(path, { headers: { 'if-none-match': known } })

        assert.equal(answer.status, 200)
        assert.equal(answer.text, first.text)
        assert.equal(etagOf(answer), etag)
      })
    }
  })

  test(`${operation} sets Cache-Control to private and revalidated`, async (t) => {
    const { send, create } = await startApp(t)
    await create({ name: 'Rex', categoryId: 1 })

    const answer = await send(path)

    assert.deepEqual(cacheControlOf(answer), ['no-cache', 'private'])
  })

  test(`${operation} HEAD has the ETag of GET and supports 304`, async (t) => {
    const { send, create } = await startApp(t)
    await create({ name: 'Rex', categoryId: 1 })
    const etag = etagOf(await send(path))

    const answer = await send(path, { method: 'HEAD' })
    const again = await send(path, { method: 'HEAD', headers: { 'if-none-match': etag } })

    assert.equal(answer.status, 200)
    assert.equal(etagOf(answer), etag)
    assert.equal(again.status, 304)
  })
}

test('a response of createPet is not cacheable', async (t) => {
  const { create } = await startApp(t)

  const answer = await create({ name: 'Rex', categoryId: 1 })

  assert.deepEqual(cacheControlOf(answer), ['no-cache', 'private'])
})

test('createPet ignores If-None-Match', async (t) => {
  const { create } = await startApp(t)

  const answer = await create({ name: 'Rex', categoryId: 1 }, { 'if-none-match': '*' })

  assert.equal(answer.status, 201)
})

test('If-None-Match does not turn an error into 304', async (t) => {
  const { send } = await startApp(t)
  const headers = { 'if-none-match': '*' }

  assertError(await send('/v1/pets/1', { headers }), 'not_found')
  assertError(await send('/v1/pets?limit=0', { headers }), 'invalid_parameter')
  assertError(await send('/v1/pets', { headers: { ...headers, authorization: '' } }), 'unauthorized')
})

test('a new animal changes only the ETags of lists that contain it', async (t) => {
  const { send, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'sold' })
  const all = etagOf(await send('/v1/pets'))
  const available = etagOf(await send('/v1/pets?status=available'))
  const sold = etagOf(await send('/v1/pets?status=sold'))

  await create({ name: 'Tom', categoryId: 1, status: 'available' })

  assert.equal((await send('/v1/pets', { headers: { 'if-none-match': all } })).status, 200)
  assert.equal((await send('/v1/pets?status=available', { headers: { 'if-none-match': available } })).status, 200)
  assert.equal((await send('/v1/pets?status=sold', { headers: { 'if-none-match': sold } })).status, 304)
})

test('different responses have different ETags', async (t) => {
  const { send, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'sold' })
  await create({ name: 'Rex', categoryId: 1, status: 'sold' })

  const etags = []
  for (const path of ['/v1/pets', '/v1/pets?id=1', '/v1/pets?id=2', '/v1/pets?limit=1', '/v1/pets?id=3'])
    etags.push(etagOf(await send(path)))

  assert.equal(new Set(etags).size, etags.length)
})

test('a page that gains a next link gets a new ETag, even with the same body', async (t) => {
  const { send, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const before = await send('/v1/pets?limit=1')
  await create({ name: 'Tom', categoryId: 1 })

  const after = await send('/v1/pets?limit=1', { headers: { 'if-none-match': etagOf(before) } })

  assert.equal(after.status, 200)
  assert.equal(after.text, before.text)
  assert.equal(before.headers.get('link'), null)
  assert.match(after.headers.get('link') ?? '', /rel="next"/)
})

test('a page whose exact count changes gets a new ETag, even with the same body', async (t) => {
  const { send, create } = await startApp(t)
  const headers = { prefer: 'count=exact' }
  for (const name of ['Rex', 'Tom']) await create({ name, categoryId: 1 })
  const before = await send('/v1/pets?limit=1', { headers })
  await create({ name: 'Kim', categoryId: 1 })

  const after = await send('/v1/pets?limit=1', { headers: { ...headers, 'if-none-match': etagOf(before) } })

  assert.equal(after.status, 200)
  assert.equal(after.text, before.text)
  assert.equal(after.headers.get('x-total-count'), '3')
})

function cacheControlOf(answer: Answer): string[] {
  return (answer.headers.get('cache-control') ?? '').split(', ').toSorted()
}
