import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { addAnimals, nextOf } from '../support/page-requests.ts'

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

async function listWithHost({ sendRaw, key }: Pick<TestApp, 'sendRaw' | 'key'>, host: string): Promise<Answer> {
  const head = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n`
  const [answer] = readAnswers(await sendRaw(Buffer.from(`${head}\r\n`, 'latin1')))
  assert.ok(answer)
  return answer
}
