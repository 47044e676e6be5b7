import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '../../src/inventory/errors.ts'
import type { Pets } from '../../src/inventory/pets.ts'
import { type Answer, readAnswers, startApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { unknownIds } from '../support/unknown-ids.ts'

const sunset = Date.UTC(2030, 11, 5)

test('HEAD of getPet has the headers of GET and no body', async (t) => {
  const { send, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })

  const got = await send('/v1/pets/1')
  const answer = await send('/v1/pets/1', { method: 'HEAD' })

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '')
  for (const name of ['content-type', 'content-length', 'etag', 'link', 'deprecation', 'sunset', 'cache-control'])
    assert.equal(answer.headers.get(name), got.headers.get(name), name)
})

test('getPet decodes percent escapes', async (t) => {
  const { send, create } = await startApp(t)
  for (let id = 1; id <= 7; id++) await create({ name: `animal ${id}`, categoryId: 7 })

  const answer = await send('/v1/pets/%37')

  assert.equal(answer.status, 200)
  assert.equal((answer.body as { id: number }).id, 7)
})

test('getPet ignores query parameters', async (t) => {
  const { send, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })

  const answer = await send('/v1/pets/1?limit=0&status=lost&id=2&foo')

  assert.equal(answer.status, 200)
})

test('getPet returns 404 unless the id is the canonical decimal of a stored one', async (t) => {
  const { send, create, origin } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })

  for (const [what, id] of Object.entries(unknownIds)) {
    await t.test(what, async () => {
      const answer = await send(`/v1/pets/${id}`)

      assertError(answer, 'not_found')
      assertDeprecated(answer, origin)
    })
  }
})

test('every response of getPet has Deprecation, Sunset and links to the replacement', async (t) => {
  const { send, sendRaw, create, key, origin } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })
  const host = origin.slice('http://'.length)
  const raw = async (...lines: string[]) =>
    readAnswers(await sendRaw(['GET /v1/pets/1 HTTP/1.1', 'Connection: close', ...lines, '', ''].join('\r\n')))[0]
  const answers: Record<string, [number, () => Promise<Answer | undefined>]> = {
    found: [200, () => send('/v1/pets/1')],
    'found by HEAD': [200, () => send('/v1/pets/1', { method: 'HEAD' })],
    unchanged: [304, () => send('/v1/pets/1', { headers: { 'if-none-match': '*' } })],
    'not found': [404, () => send('/v1/pets/2')],
    'not found by HEAD': [404, () => send('/v1/pets/2', { method: 'HEAD' })],
    'without a key': [401, () => raw(`Host: ${host}`)],
    'with a wrong key': [401, () => send('/v1/pets/1', { headers: { authorization: 'Bearer wrong' } })],
    'with a wrong key by HEAD': [
      401,
      () => send('/v1/pets/1', { method: 'HEAD', headers: { authorization: 'Bearer wrong' } }),
    ],
    'with an expectation that is not met': [
      417,
      () => raw(`Host: ${host}`, `Authorization: Bearer ${key}`, 'Expect: cake'),
    ],
    'with two Host headers': [400, () => raw(`Host: ${host}`, `Host: ${host}`, `Authorization: Bearer ${key}`)],
    'with a broken percent escape': [400, () => send('/v1/pets/%zz')],
    'with an address too long': [414, () => send(`/v1/pets/${'1'.repeat(5000)}`)],
  }

  for (const [what, [status, ask]] of Object.entries(answers)) {
    await t.test(what, async () => {
      const answer = await ask()

      assert.equal(answer?.status, status)
      assertDeprecated(answer, origin)
    })
  }
})

test('a rate-limited response of getPet has the deprecation headers', async (t) => {
  const { send, origin } = await startApp(t, { rateLimit: 1 })
  await send('/v1/pets')

  const answer = await send('/v1/pets/1')

  assertError(answer, 'rate_limited')
  assertDeprecated(answer, origin)
})

for (const [failure, code] of [
  [new Error('disk on fire in /var/lib'), 'internal'],
  [unavailable('Not now.'), 'unavailable'],
] as const) {
  test(`an error of getPet has the deprecation headers: ${code}`, async (t) => {
    const storage = await sqliteInMemory.open(t)
    const pets: Pets = { ...storage.pets, find: () => Promise.reject(failure) }
    const { send, origin } = await startApp(t, { storage: { ...storage, pets } })

    const answer = await send('/v1/pets/1')

    assertError(answer, code)
    assertDeprecated(answer, origin)
    assert.doesNotMatch(answer.text, /fire|var/)
  })
}

test('getPet links to the configured base address', async (t) => {
  const { send } = await startApp(t, { baseUrls: { production: 'https://petstore.example/v1' } })

  const answer = await send('/v1/pets/1')

  assertDeprecated(answer, 'https://petstore.example')
})

test('the replacement of getPet returns the same animal with the same ETag', async (t) => {
  const { send, create, origin } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })
  const { headers, text } = await send('/v1/pets/%31')

  const [, successor = ''] = /<([^<>]+)>; rel="successor-version"/.exec(headers.get('link') ?? '') ?? []
  const replacement = await send(successor.slice(origin.length))

  assert.equal(successor, `${origin}/v1/pets?id=1`)
  assert.equal(replacement.text, `[${text}]`)
  assert.equal(replacement.headers.get('etag'), headers.get('etag'))
})

for (const id of ['abc', '007', '9223372036854775808', '%22', '%3E%3B']) {
  test(`the replacement of getPet with an invalid id is the list: ${id}`, async (t) => {
    const { send, origin } = await startApp(t)

    const { headers } = await send(`/v1/pets/${id}`)

    assert.ok(headers.get('link')?.endsWith(`<${origin}/v1/pets>; rel="successor-version"`), headers.get('link') ?? '')
  })
}

test('the documentation that getPet links to can be read without a key', async (t) => {
  const { send } = await startApp(t)
  const link = (await send('/v1/pets/1')).headers.get('link') ?? ''
  const [, documentation = ''] = /<([^<>]+)>; rel="deprecation"/.exec(link) ?? []

  const page = await fetch(documentation)

  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  await page.text()
})

test('the other operations are not deprecated', async (t) => {
  const { send, create } = await startApp(t)

  for (const answer of [await create({ name: 'Rex', categoryId: 7 }), await send('/v1/pets'), await create('')]) {
    assert.equal(answer.headers.get('deprecation'), null)
    assert.equal(answer.headers.get('sunset'), null)
    assert.equal(answer.headers.get('link'), null)
  }
})

test('getPet works until its sunset', async (t) => {
  const { send, create } = await startApp(t, { clock: () => sunset - 1 })
  await create({ name: 'Rex', categoryId: 7 })

  assert.equal((await send('/v1/pets/1')).status, 200)
  assertError(await send('/v1/pets/2'), 'not_found')
})

for (const [when, now] of [
  ['at the instant of its end', sunset],
  ['ten years after', Date.UTC(2040, 11, 5)],
] as const) {
  test(`getPet is gone ${when}, whatever the id`, async (t) => {
    const { send, create, origin } = await startApp(t, { clock: () => now })
    await create({ name: 'Rex', categoryId: 7 })

    for (const id of ['1', '2', 'abc']) {
      const answer = await send(`/v1/pets/${id}`)
      assertError(answer, 'gone')
      assertDeprecated(answer, origin)
    }
    assert.equal((await send('/v1/pets/1', { method: 'HEAD' })).status, 410)
    assertError(await send('/v1/pets/1', { headers: { 'if-none-match': '*' } }), 'gone')
  })
}

test('getPet is removed while the service runs', async (t) => {
  let now = sunset - 1
  const { send, create } = await startApp(t, { clock: () => now })
  await create({ name: 'Rex', categoryId: 7 })
  assert.equal((await send('/v1/pets/1')).status, 200)

  now++

  assertError(await send('/v1/pets/1'), 'gone')
})

test('getPet requires a key after its sunset', async (t) => {
  const { send, origin } = await startApp(t, { clock: () => sunset })

  const answer = await send('/v1/pets/1', { headers: { authorization: 'Bearer wrong' } })

  assertError(answer, 'unauthorized')
  assertDeprecated(answer, origin)
})

test('listPets with an id replaces getPet after its sunset', async (t) => {
  const { send, create } = await startApp(t, { clock: () => sunset })
  const created = await create({ name: 'Rex', categoryId: 7 })

  const answer = await send('/v1/pets?id=1')

  assert.equal(created.status, 201)
  assert.deepEqual(answer.body, [created.body])
})

function assertDeprecated({ headers }: Answer, origin: string): void {
  const link = headers.get('link') ?? ''

  assert.equal(headers.get('deprecation'), '@1794614400')
  assert.equal(headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
  assert.ok(link.includes(`<${origin}/docs>; rel="deprecation"`), link)
  assert.match(link.replace(origin, ''), /, <[^<>]*\/v1\/pets(\?id=-?\d+)?>; rel="successor-version"$/)
}
