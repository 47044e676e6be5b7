import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { bodyOf, makeWebhook, messageOf, type Shown, url } from '../support/webhook-requests.ts'

const notPublic = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[fd00::1]',
  '[fe80::1]',
  '[64:ff9b::7f00:1]',
]

test('a url of 2,048 characters is kept exactly as sent', async (t) => {
  const app = await startApp(t)
  const longest = 'https://EXAMPLE.com/?q=%41'.padEnd(2_048, '~')

  const created = await app.sendJson('POST /v1/webhooks', { url: longest })

  assert.equal(bodyOf(created)['url'], longest)
})

test('the case of scheme and host does not count, and they are kept as sent', async (t) => {
  const app = await startApp(t)

  for (const address of ['HTTPS://EXAMPLE.COM/A', 'Http://example.com:8080/%2f%2F', 'hTTpS://Example.Com']) {
    const created = await app.sendJson('POST /v1/webhooks', { url: address })
    assert.equal(bodyOf(created)['url'], address)
  }
  const refused = await app.sendJson('POST /v1/webhooks', { url: 'HTTP://LOCALHOST/hook' })
  assert.equal(messageOf(refused, 'invalid_body'), 'url must be a public address.')
})

test('a broken percent escape is 400, for a new webhook and for a change', async (t) => {
  const app = await startApp(t)
  await makeWebhook(app)

  for (const end of ['%zz', '%', '%2', '%2/', 'a%%20', '?q=%u0041', '%41%4g']) {
    for (const start of ['POST /v1/webhooks', 'PATCH /v1/webhooks/1']) {
      const refused = await app.sendJson(start, { url: `https://example.com/${end}` })
      assert.match(messageOf(refused, 'invalid_body'), /url must be .* with two hexadecimal digits after each %/, end)
    }
  }
})

test('an address that is not public is 400, for a new webhook and for a change', async (t) => {
  const app = await startApp(t)
  await makeWebhook(app)

  for (const address of notPublic) {
    for (const start of ['POST /v1/webhooks', 'PATCH /v1/webhooks/1']) {
      const answer = await app.sendJson(start, { url: `http://${address}:8080/hook` })
      assert.equal(messageOf(answer, 'invalid_body'), 'url must be a public address.', address)
      assert.equal(answer.headers.get('invalid-fields'), 'url')
    }
  }
  assert.equal(((await app.send('/v1/webhooks/1')).body as Shown)['url'], url)
  assert.equal((await app.storage.webhooks.list(10, 0n)).items.length, 1)
})

test('a name with an address that is not public is 400, and one that does not resolve is accepted', async (t) => {
  const names: Record<string, string[]> = {
    'inside.example.com': ['10.0.0.7'],
    'half.example.com': ['93.184.215.14', '::1'],
    'outside.example.com': ['93.184.215.14'],
  }
  const resolve = async (name: string) => {
    const found = names[name]
    if (found === undefined) throw new Error('ENOTFOUND')
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  const app = await startApp(t, { webhookAddresses: { allowPrivate: false, resolve } })
  const statusOf = async (name: string) =>
    (await app.sendJson('POST /v1/webhooks', { url: `https://${name}/hook` })).status

  assert.deepEqual(
    await Promise.all(['inside', 'half', 'outside', 'nowhere'].map((name) => statusOf(`${name}.example.com`))),
    [400, 400, 201, 201],
  )
})

test('a deployment can allow addresses that are not public', async (t) => {
  const app = await startApp(t, { webhookAddresses: { allowPrivate: true } })

  const created = await app.sendJson('POST /v1/webhooks', { url: 'http://127.0.0.1:3000/hook' })

  assert.equal(created.status, 201)
})
