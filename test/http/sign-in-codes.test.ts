import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInLink } from '../../src/cli/serving/sign-in-link.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const withoutKey = { headers: { authorization: '' } }

for (const permission of ['read', 'write'] as const) {
  test(`/console/key returns the permission of a key and no secret: ${permission}`, async (t) => {
    const { send, makeKey } = await startApp(t, { environment: 'staging' })
    const { id, secret } = await makeKey({ name: 'till', permission })

    const answer = await send('/console/key', { headers: { authorization: `Bearer ${secret}` } })

    assert.deepEqual(answer.body, { id, name: 'till', permission, environment: 'staging' })
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })
}

test('/console/key requires a key', async (t) => {
  const { send } = await startApp(t)

  assertError(await send('/console/key', withoutKey), 'unauthorized')
})

async function startWithLink(t: Parameters<typeof startApp>[0], clock?: () => number) {
  const link = signInLink(clock)
  const app = await startApp(t, { redeemCode: link.redeem, trustProxy: true })
  const code = link.issueLink(app.key)
  const signIn = (body: unknown, headers: Record<string, string> = {}) =>
    app.send('/console/sign-in', {
      method: 'POST',
      headers: { authorization: '', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { ...app, link, code, signIn }
}

test('a sign-in code works once', async (t) => {
  const { signIn, code, key } = await startWithLink(t)

  const first = await signIn({ code })
  const second = await signIn({ code })

  assert.deepEqual(first.body, { key })
  assert.equal(first.headers.get('cache-control'), 'no-store')
  assertError(second, 'gone')
})

test('if many clients use a sign-in code at once, exactly one succeeds', async (t) => {
  const { signIn, code } = await startWithLink(t)

  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn({ code })))

  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status }) => status === 410).length, 9)
})

test('a sign-in code expires after 15 minutes', async (t) => {
  let now = 0
  const { signIn, link, code, key } = await startWithLink(t, () => now)

  now = 15 * 60_000
  assertError(await signIn({ code }), 'gone')

  const later = link.issueLink(key)
  now += 15 * 60_000 - 1
  assert.equal((await signIn({ code: later })).status, 200)
})

for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']) {
  test(`a sign-in code sent through a proxy is refused and stays valid: ${header}`, async (t) => {
    const { signIn, code } = await startWithLink(t)

    assertError(await signIn({ code }, { [header]: '127.0.0.1' }), 'forbidden')

    assert.equal((await signIn({ code })).status, 200)
  })
}

for (const body of [{}, { code: '' }, { code: 7 }, { code: 'x'.repeat(101) }, null]) {
  test(`a body without a sign-in code is refused: ${JSON.stringify(body)?.slice(0, 30)}`, async (t) => {
    const { signIn } = await startWithLink(t)

    assertError(await signIn(body), 'invalid_body')
  })
}

test('a wrong sign-in code is refused, also if there is no link', async (t) => {
  const { signIn } = await startWithLink(t)
  const { send } = await startApp(t)

  assertError(await signIn({ code: 'wrong' }), 'gone')
  const headers = { 'content-type': 'application/json' }
  assertError(await send('/console/sign-in', { method: 'POST', headers, body: '{"code":"wrong"}' }), 'gone')
})

test('a form on another page cannot send a sign-in code', async (t) => {
  const { signIn, code } = await startWithLink(t)

  assertError(await signIn({ code }, { 'content-type': 'text/plain' }), 'unsupported_media_type')
})
