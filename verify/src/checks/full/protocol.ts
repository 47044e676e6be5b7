import { gunzipSync } from 'node:zlib'
import { type Check, reads, type Subject, writes } from '../../shop/check.ts'
import { expectHeader, expectRefusal, header, sendJson } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail } from '../../shop/expect.ts'

/** What a page may have when it is no longer compressed. */
const maxPageBytes = 8 * 1024 * 1024

async function expectAllow({ shop }: Subject, path: string, wanted: string): Promise<void> {
  for (const [method, status] of [
    ['OPTIONS', 204],
    ['PROPFIND', 405],
  ] as const) {
    const response = await shop.send({ method, path })
    expectStatus(response, status)
    const allow = (header(response, 'allow') ?? '').split(/, */).toSorted().join(', ')
    if (allow !== wanted) fail(response, `Allow: ${wanted}`, allow)
  }
}

function unzip(page: Exchange): Buffer {
  try {
    return gunzipSync(page.response?.body ?? '', { maxOutputLength: maxPageBytes })
  } catch {
    return fail(page, 'a body that is gzip')
  }
}

export const protocolChecks: readonly Check[] = [
  reads('F-protocol-1', {
    name: 'HEAD has the status and the headers of GET, and no body',
    sentence: '`HEAD` works wherever `GET` does.',
    async run({ shop }) {
      for (const path of ['/pets?id=-1', '/nothing']) {
        const [got, head] = [await shop.send({ method: 'GET', path }), await shop.send({ method: 'HEAD', path })]
        if (head.response?.status !== got.response?.status) fail(head, `the status ${got.response?.status}`)
        expectHeader(head, 'Content-Type', header(got, 'content-type') ?? '')
        if (header(head, 'etag') !== header(got, 'etag')) fail(head, `ETag: ${header(got, 'etag')}`)
      }
    },
  }),
  reads('F-protocol-2', {
    name: 'OPTIONS is 204 and another method 405, both with the Allow of the path',
    sentence: 'A wrong method on a known path is 405 with `Allow`; `OPTIONS` there is 204 with `Allow`.',
    async run(subject) {
      await expectAllow(subject, '/pets', 'GET, HEAD, OPTIONS, POST')
      await expectAllow(subject, '/pets/1', 'DELETE, GET, HEAD, OPTIONS, PATCH')
      await expectAllow(subject, '/pets/import', 'OPTIONS, POST')
      await expectAllow(subject, '/pets/export', 'GET, HEAD, OPTIONS')
    },
  }),
  writes('F-protocol-3', {
    name: 'a page is compressed for a client that asks, and is the same page',
    sentence: 'Pages are compressed for clients that ask (`Accept-Encoding`).',
    async run({ shop, stock }) {
      const categoryId = String(stock.newCategoryId())
      for (let count = 0; count < 5; count++)
        await stock.add({ categoryId, name: JSON.stringify(`${stock.newName()} ${'x'.repeat(800)}`) })
      const path = `/pets?categoryId=${categoryId}`
      const plain = await shop.send({ method: 'GET', path })
      const page = await shop.send({ method: 'GET', path, headers: { 'Accept-Encoding': 'gzip' } })
      expectHeader(page, 'Content-Encoding', 'gzip')
      expectHeader(page, 'Vary', /\bAccept-Encoding\b/i)
      if (!unzip(page).equals(plain.response?.body ?? Buffer.alloc(0))) fail(page, 'the bytes of the plain page')
      if (header(page, 'etag') === header(plain, 'etag')) fail(page, 'another ETag than that of the plain page')
    },
  }),
  reads('F-protocol-4', {
    name: 'every response has an X-Request-Id: the one of the client, if it is valid',
    sentence: 'X-Request-Id: the id that the client sent, if it is valid.',
    async run({ shop }) {
      const ask = (id: string, path = '/pets?limit=1') =>
        shop.send({ method: 'GET', path, headers: { 'X-Request-Id': id } })
      for (const path of ['/pets?limit=1', '/nothing'])
        expectHeader(await ask(shop.mark, path), 'X-Request-Id', shop.mark)
      expectHeader(await ask('no spaces'), 'X-Request-Id', /^[\w.:+/=@-]{1,128}$/)
    },
  }),
  writes('F-protocol-5', {
    name: 'members that are wrong are named in Invalid-Fields',
    sentence: 'Invalid-Fields: the members of the body that are missing or wrong: their names in this document.',
    async run({ shop }) {
      const refused = await sendJson(shop, 'POST', '/pets', '{"name":"","status":"lost"}')
      expectRefusal(refused, 400, 'invalid_body')
      const names = (header(refused, 'invalid-fields') ?? '').split(/, */).toSorted().join()
      if (names !== 'categoryId,name,status') fail(refused, 'Invalid-Fields: name, categoryId, status', names || 'none')
    },
  }),
  reads('F-protocol-6', {
    name: 'a percent escape is the character it stands for; a broken one is 400',
    sentence: '`%37` is `7`. A broken percent escape is 400.',
    async run({ shop }) {
      expectStatus(await shop.send({ method: 'GET', path: '/%70ets?limit=1' }), 200)
      expectRefusal(await shop.send({ method: 'GET', path: '/pets/%zz' }), 400, 'invalid_request')
    },
  }),
  reads('F-protocol-7', {
    name: 'responses are cached privately and revalidated, and their type is not guessed',
    sentence: 'Other responses are cached privately and revalidated by `ETag`. Every response has `nosniff`.',
    async run({ shop }) {
      const list = await shop.list('?limit=1')
      expectHeader(list, 'Cache-Control', /private.*no-cache/)
      expectHeader(list, 'X-Content-Type-Options', 'nosniff')
    },
  }),
  reads('F-protocol-8', {
    name: 'operations beyond the contract say how stable they are',
    sentence: 'Stability: the stability of an operation beyond the contract: `beta` or `experimental`.',
    async run({ shop }) {
      for (const path of ['/store/orders?limit=1', '/store/inventory', '/events?limit=1'])
        expectHeader(await shop.send({ method: 'GET', path }), 'Stability', /^(beta|experimental)$/)
      if (header(await shop.list('?limit=1'), 'stability') !== undefined) fail(undefined, 'no Stability of listPets')
    },
  }),
  reads('F-protocol-9', {
    name: 'a shop that limits requests says how many are left',
    sentence:
      'RateLimit: how many requests are left, and the seconds until the limit is reset. Only if a limit is configured.',
    async run({ shop }) {
      const list = await shop.list('?limit=1')
      if (header(list, 'ratelimit') === undefined && header(list, 'ratelimit-policy') === undefined) return
      expectHeader(list, 'RateLimit-Policy', /^"[^"]+";.*\bq=\d+/)
      expectHeader(list, 'RateLimit', /^"[^"]+";.*\br=\d+/)
    },
  }),
]
