import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/contract/operations/operations.ts'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { bodyOf, json, makeWebhook, messageOf, now, type Shown, url } from '../support/webhook-requests.ts'

const refused: Record<string, [body: object, message: RegExp]> = {
  'no url': [{}, /^url is missing/],
  'a url of 2,049 characters': [
    { url: `${url}?${'x'.repeat(2_049 - url.length - 1)}` },
    /^url must be a string of 0 to 2048/,
  ],
  'another scheme': [{ url: 'ftp://example.com/' }, /^url must be a string that is an http or https address/],
  'a path': [{ url: '/hook' }, /^url must be a string that is an http or https address/],
  'a fragment': [{ url: `${url}#part` }, /without a fragment/],
  'white space': [{ url: 'https://example.com/a b' }, /^url must be/],
  NUL: [{ url: 'https://example.com/\u0000' }, /^url must be/],
  'a backslash': [{ url: 'https://example.com\\@10.0.0.1/' }, /^url must be/],
  'a password': [{ url: 'https://admin:secret@example.com/' }, /^url must have no user name and no password\.$/],
  'an empty part of the host name': [{ url: 'http://a..b/' }, /^url must have a host name of parts with 1 to 63/],
  'no host': [{ url: 'https://?' }, /^url must be/],
  'a port that does not exist': [{ url: 'https://example.com:99999/' }, /^url must be/],
  'no types': [{ url, types: [] }, /^types must be an array of at least 1/],
  'types twice': [{ url, types: ['petstore.pet.created', 'petstore.pet.created'] }, /^types must be .*without repeats/],
  'an unknown type': [{ url, types: ['pet.created'] }, /^types must be .*petstore\.pet\.created/],
  'types that are null': [{ url, types: null }, /^types must be an array/],
  'an empty description': [{ url, description: ' ' }, /^description must be/],
  'a description of 1,001 characters': [
    { url, description: 'x'.repeat(1_001) },
    /^description must be a string of 1 to 1000/,
  ],
}

test('every operation on webhooks is experimental and for admins', () => {
  const found = operations.filter(({ path }) => path.startsWith('/webhooks'))

  assert.ok(found.length >= 6)
  for (const { id, stability, permission } of found) {
    assert.deepEqual([id, stability, permission], [id, 'experimental', 'admin'])
  }
})

test('a new webhook is enabled, and only its 201 has the secret', async (t) => {
  const app = await startApp(t, { clock: () => now })

  const created = await app.sendJson('POST /v1/webhooks', {
    url,
    types: ['petstore.pet.created'],
    id: 7,
    enabled: false,
  })

  assert.equal(created.status, 201)
  assert.equal(created.headers.get('location'), `${app.origin}/v1/webhooks/1`)
  assert.equal(created.headers.get('cache-control'), 'no-store')
  assert.equal(created.headers.get('stability'), 'experimental')
  const { secret, ...webhook } = bodyOf(created)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const shown = {
    id: 1,
    url,
    types: ['petstore.pet.created'],
    format: 'json',
    enabled: true,
    createdAt: '2027-01-01T00:00:00.000Z',
  }
  assert.deepEqual(webhook, shown)
  assert.deepEqual((await app.send('/v1/webhooks/1')).body, shown)
  assert.deepEqual((await app.send('/v1/webhooks')).body, [shown])
  assert.deepEqual((await app.sendJson('PATCH /v1/webhooks/1', {})).body, shown)
})

test('a webhook has the format json, unless it is made with cloudevents or changed to it', async (t) => {
  const app = await startApp(t)
  const formatOf = ({ body }: Answer) => (body as Shown)['format']

  const made = await app.sendJson('POST /v1/webhooks', { url, format: 'cloudevents' })
  const changed = await app.sendJson('PATCH /v1/webhooks/1', { format: 'json' })
  const again = await app.sendJson('PATCH /v1/webhooks/1', { format: 'cloudevents' })
  const rotated = await app.send('/v1/webhooks/1/rotate', { method: 'POST' })

  assert.deepEqual([made, changed, again, rotated].map(formatOf), ['cloudevents', 'json', 'cloudevents', 'cloudevents'])
  for (const format of ['CloudEvents', 'xml', '', null, 1]) {
    const refused = [
      await app.sendJson('POST /v1/webhooks', { url, format }),
      await app.sendJson('PATCH /v1/webhooks/1', { format }),
    ]
    for (const answer of refused) {
      assertError(answer, 'invalid_body')
      assert.equal(answer.headers.get('invalid-fields'), 'format')
    }
  }
  assert.equal(((await app.send('/v1/webhooks')).body as Shown[]).map((each) => each['format']).join(), 'cloudevents')
})

test('a rotation responds with a new secret and the end of the previous one, 24 hours from now', async (t) => {
  const app = await startApp(t, { clock: () => now })
  const { secret, ...webhook } = await makeWebhook(app)

  const rotated = await app.send('/v1/webhooks/1/rotate', { method: 'POST' })

  assert.equal(rotated.status, 200)
  assert.equal(rotated.headers.get('cache-control'), 'no-store')
  const { secret: newSecret, ...others } = bodyOf(rotated)
  assert.match(newSecret, /^whsec_/)
  assert.notEqual(newSecret, secret)
  assert.deepEqual(others, { ...webhook, previousSecretExpiresAt: '2027-01-02T00:00:00.000Z' })
})

for (const permission of ['read', 'write'] as const) {
  test(`a ${permission} key may not manage webhooks: 403`, async (t) => {
    const app = await startApp(t)
    await makeWebhook(app)
    const headers = { authorization: `Bearer ${(await app.makeKey({ permission })).secret}` }

    const answers = [
      await app.send('/v1/webhooks', { headers }),
      await app.send('/v1/webhooks/1', { headers }),
      await app.sendJson('POST /v1/webhooks', { url }, headers),
      await app.sendJson('PATCH /v1/webhooks/1', { enabled: false }, headers),
      await app.send('/v1/webhooks/1', { method: 'DELETE', headers }),
      await app.send('/v1/webhooks/1/rotate', { method: 'POST', headers }),
    ]

    for (const answer of answers) assertError(answer, 'forbidden')
    assert.equal(((await app.send('/v1/webhooks')).body as unknown[]).length, 1)
  })
}

test('an Idempotency-Key is refused where the response has a secret, and nothing is done', async (t) => {
  const app = await startApp(t)
  await makeWebhook(app)
  const [before] = await app.storage.webhooks.enabled()
  const headers = { 'idempotency-key': 'once' }

  const answers = [
    await app.sendJson('POST /v1/webhooks', { url }, headers),
    await app.send('/v1/webhooks/1/rotate', { method: 'POST', headers }),
  ]

  for (const answer of answers)
    assert.match(messageOf(answer, 'invalid_parameter'), /^Idempotency-Key must not be sent/)
  assert.deepEqual(await app.storage.webhooks.enabled(), [before])
})

test('a webhook that does not exist is 404', async (t) => {
  const app = await startApp(t)

  for (const id of ['1', '0', '-1', '01', '1.0', 'abc', '9223372036854775808', 'a%00']) {
    assertError(await app.send(`/v1/webhooks/${id}`), 'not_found')
    assertError(await app.sendJson(`PATCH /v1/webhooks/${id}`, { enabled: true }), 'not_found')
    assertError(await app.send(`/v1/webhooks/${id}`, { method: 'DELETE' }), 'not_found')
    assertError(await app.send(`/v1/webhooks/${id}/rotate`, { method: 'POST' }), 'not_found')
  }
  assert.deepEqual(app.failures, [])
})

test('webhooks are listed in pages', async (t) => {
  const app = await startApp(t)
  for (let count = 0; count < 3; count++) await makeWebhook(app)

  const first = await app.send('/v1/webhooks?limit=2')
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await app.send(next.slice(app.origin.length))
  const cursor = new URL(next).searchParams.get('cursor')

  assert.deepEqual([idsOf(first), idsOf(second)], [[1, 2], [3]])
  assert.equal(second.headers.get('link'), null)
  assertError(await app.send(`/v1/categories?cursor=${cursor}`), 'invalid_parameter')
  for (const limit of ['0', '101', 'x']) assertError(await app.send(`/v1/webhooks?limit=${limit}`), 'invalid_parameter')
})

test('a shop has at most 1,000 webhooks: 409', async (t) => {
  const app = await startApp(t)
  await Promise.all(Array.from({ length: 1_000 }, () => app.storage.webhooks.create({ url })))

  const message = messageOf(await app.sendJson('POST /v1/webhooks', { url }), 'conflict')

  assert.equal(message, 'There are 1000 webhooks already: remove one first.')
})

test('a change leaves other members as they are, and null removes types and description', async (t) => {
  const app = await startApp(t, { clock: () => now })
  await app.sendJson('POST /v1/webhooks', { url, types: ['petstore.pet.created'], description: 'old' })
  const unchanged = { id: 1, url, format: 'json', enabled: true, createdAt: '2027-01-01T00:00:00.000Z' }

  const one = await app.sendJson('PATCH /v1/webhooks/1', { description: 'new' })
  const two = await app.sendJson('PATCH /v1/webhooks/1', { types: null, description: null, secret: 'whsec_mine' })
  const merge = { 'content-type': 'application/merge-patch+json' }
  const three = await app.sendJson('PATCH /v1/webhooks/1', { enabled: false }, merge)

  assert.deepEqual(one.body, { ...unchanged, types: ['petstore.pet.created'], description: 'new' })
  assert.deepEqual(two.body, unchanged)
  const disabled = { enabled: false, disabledAt: '2027-01-01T00:00:00.000Z', disabledReason: 'requested' }
  assert.deepEqual(three.body, { ...unchanged, ...disabled })
  assert.deepEqual((await app.sendJson('PATCH /v1/webhooks/1', { enabled: true })).body, unchanged)
  for (const member of ['url', 'enabled']) {
    assertError(await app.sendJson('PATCH /v1/webhooks/1', { [member]: null }), 'invalid_body')
  }
})

test('a webhook is changed and removed only if its ETag matches: 412', async (t) => {
  const app = await startApp(t)
  await makeWebhook(app)
  const etag = (await app.send('/v1/webhooks/1')).headers.get('etag') ?? ''

  const changed = await app.sendJson('PATCH /v1/webhooks/1', { description: 'new' }, { 'if-match': etag })
  const stale = await app.sendJson('PATCH /v1/webhooks/1', { description: 'other' }, { 'if-match': etag })

  assert.equal(changed.headers.get('etag'), (await app.send('/v1/webhooks/1')).headers.get('etag'))
  assertError(stale, 'precondition_failed')
  const gone = { method: 'DELETE', headers: { 'if-match': etag } }
  assertError(await app.send('/v1/webhooks/1', gone), 'precondition_failed')
  const removed = await app.send('/v1/webhooks/1', { method: 'DELETE' })
  assert.deepEqual([removed.status, removed.text], [204, ''])
})

test('what is not allowed of a new webhook is refused, and the member is named: 400', async (t) => {
  const app = await startApp(t)

  for (const [what, [body, message]] of Object.entries(refused)) {
    const answer = await app.sendJson('POST /v1/webhooks', body)
    assert.match(messageOf(answer, 'invalid_body'), message, what)
    assert.match(answer.headers.get('invalid-fields') ?? '', /^(url|types|description)$/, what)
  }
  assert.deepEqual((await app.send('/v1/webhooks')).body, [])
})

test('secrets of webhooks are neither observed nor in events', async (t) => {
  const app = await startApp(t)
  const { secret } = await makeWebhook(app)
  const rotated = bodyOf(await app.send('/v1/webhooks/1/rotate', { method: 'POST' }))
  await app.send('/v1/webhooks', { method: 'POST', body: `{"url":"${url}"`, headers: json })

  const observed = JSON.stringify(app.answered, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

  for (const each of [secret, rotated.secret]) {
    assert.equal(observed.includes(each), false)
    assert.equal((await app.send('/v1/events')).text.includes(each), false)
  }
})

function idsOf({ body }: Answer): number[] {
  return (body as Shown[]).map(({ id }) => id)
}
