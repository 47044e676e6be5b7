import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectAllIds, expectHeader, expectRefusal, header, sendJson } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectPet, expectStatus, fail } from '../../shop/expect.ts'

const sentence =
  'Idempotency-Key: for 24 hours the same key and body get the first response again, and nothing is added twice.'

function create({ shop }: Subject, body: string, key: string): Promise<Exchange> {
  return sendJson(shop, 'POST', '/pets', body, { 'Idempotency-Key': key })
}

/** The number of a name is a word, so that a search finds exactly this animal. */
async function newBody({ shop, stock }: Subject): Promise<{ body: string; query: string; key: string }> {
  const name = stock.newName()
  return {
    body: await stock.bodyOf({ name: `"${name} end"` }),
    query: `/pets?name=${encodeURIComponent(`${name} end`)}`,
    key: `${shop.mark}-${name}`,
  }
}

export const idempotencyChecks: readonly Check[] = [
  writes('F-idempotency-1', {
    name: 'the same key and body get the first response again, marked as such',
    sentence,
    async run(subject) {
      const { body, key } = await newBody(subject)
      const first = await create(subject, body, key)
      const { id } = expectPet(first, 201)
      if (header(first, 'idempotent-replayed') !== undefined) fail(first, 'no Idempotent-Replayed')
      const again = await create(subject, body, key)
      if (expectPet(again, 201).id !== id) fail(again, `the animal ${id} again`)
      expectHeader(again, 'Idempotent-Replayed', 'true')
    },
  }),
  writes('F-idempotency-2', {
    name: 'a retry adds nothing, also with the key in quotes',
    sentence,
    async run(subject) {
      const { body, key, query } = await newBody(subject)
      const { id } = expectPet(await create(subject, body, key), 201)
      await create(subject, body, `"${key}"`)
      await expectAllIds(subject.shop, query, [id])
    },
  }),
  writes('F-idempotency-3', {
    name: 'the same key with another body is 422',
    sentence: '422: `idempotency_mismatch`: The Idempotency-Key was used with another body.',
    async run(subject) {
      const { body, key } = await newBody(subject)
      expectStatus(await create(subject, body, key), 201)
      const other = await create(subject, (await newBody(subject)).body, key)
      expectRefusal(other, 422, 'idempotency_mismatch')
    },
  }),
  writes('F-idempotency-4', {
    name: 'a refused request is not remembered',
    sentence: 'Refused requests are not remembered: the key can be used with a body that is right.',
    async run(subject) {
      const { body, key } = await newBody(subject)
      expectStatus(await create(subject, body.replace('"available"', '"lost"'), key), 400)
      expectStatus(await create(subject, body, key), 201)
    },
  }),
  writes('F-idempotency-5', {
    name: 'a key of more than 255 characters, or an empty one, is 400',
    sentence: 'Idempotency-Key: 1 to 255 printable ASCII characters, bare or in double quotes.',
    async run(subject) {
      for (const key of ['x'.repeat(256), '""'])
        expectStatus(await create(subject, (await newBody(subject)).body, key), 400)
    },
  }),
  writes('F-idempotency-6', {
    name: 'several requests at once with the same key add one animal',
    sentence: '409: `conflict`: A request with the same Idempotency-Key is still in flight.',
    async run(subject) {
      const { body, key, query } = await newBody(subject)
      const request = { method: 'POST' as const, path: '/pets', body, headers: { 'Idempotency-Key': key } }
      const all = await subject.shop.sendTogether([request, request, request, request])
      const made = all.filter(({ response }) => response?.status === 201)
      const other = all.find(({ response }) => response?.status !== 201 && response?.status !== 409)
      if (other !== undefined) fail(other, '201 or 409')
      const ids = new Set(made.map((exchange) => expectPet(exchange, 201).id))
      if (ids.size !== 1) fail(all[0], 'one animal', `${ids.size} animals`)
      await expectAllIds(subject.shop, query, [...ids])
    },
  }),
]
