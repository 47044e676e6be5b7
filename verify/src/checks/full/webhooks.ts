import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectMembers, expectObject, expectRefusal, findItem, idOf, sendJson } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail, Skipped } from '../../shop/expect.ts'
import { int64Of, type Json, type JsonObject, member } from '../../shop/json.ts'

/** No name below it exists, so nothing is delivered to anybody. */
const url = 'https://verify.invalid/events'

/** Deliveries are not judged: they need an address that the shop can reach. */
async function newWebhook({ shop, stock }: Subject): Promise<{ id: bigint; path: string; secret: string }> {
  const made = await sendJson(shop, 'POST', '/webhooks', `{"url":"${url}","description":"${stock.newName()}"}`)
  if (made.response?.status === 404) throw new Skipped('POST /webhooks is not served')
  const webhook = expectObject(made, 201)
  expectMembers(made, webhook, { url })
  const id = idOf(made, webhook)
  return { id, path: `/webhooks/${id}`, secret: secretOf(made, webhook) }
}

function secretOf(made: Exchange, webhook: JsonObject): string {
  const secret = member(webhook, 'secret')
  return typeof secret === 'string' && secret.startsWith('whsec_') ? secret : fail(made, 'a secret that begins whsec_')
}

function get({ shop }: Subject, path: string): Promise<Exchange> {
  return shop.send({ method: 'GET', path })
}

export const webhookChecks: readonly Check[] = [
  writes('F-webhooks-1', {
    name: 'a new webhook has a secret, which is shown once',
    sentence: 'createWebhook: its secret is in this response only.',
    async run(subject) {
      const { id, path, secret } = await newWebhook(subject)
      const isNew = (one: Json) => int64Of(member(one, 'id')) === id
      const { list, item } = await findItem(subject.shop, '/webhooks?limit=100', isNew)
      if (item === undefined) fail(list, `the webhook ${id}`)
      const one = await get(subject, path)
      expectMembers(one, expectObject(one, 200), { id, url, secret: undefined })
      for (const response of [list, one]) if (response.response?.body.includes(secret)) fail(response, 'no secret')
    },
  }),
  writes('F-webhooks-2', {
    name: 'a webhook is turned off, and removed',
    sentence: 'updateWebhook: `enabled`: whether events are sent. deleteWebhook: ends it.',
    async run(subject) {
      const { path } = await newWebhook(subject)
      expectStatus(await sendJson(subject.shop, 'PATCH', path, '{"enabled":false}'), 200)
      const off = await get(subject, path)
      if (member(expectObject(off, 200), 'enabled') !== false) fail(off, 'a webhook that is not enabled')
      expectStatus(await subject.shop.send({ method: 'DELETE', path }), 204)
      expectRefusal(await get(subject, path), 404, 'not_found')
    },
  }),
  writes('F-webhooks-3', {
    name: 'a webhook gets another secret',
    sentence: 'rotateWebhook: makes a new secret, which is in this response only.',
    async run(subject) {
      const { path, secret } = await newWebhook(subject)
      const rotated = await sendJson(subject.shop, 'POST', `${path}/rotate`, '{}')
      if (secretOf(rotated, expectObject(rotated, 200)) === secret) fail(rotated, 'another secret')
    },
  }),
]
