import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, isServerRefusal, type ShopRequest } from '../shop/exchange.ts'
import { expectArray, expectError, expectJsonType, expectName, expectPet, expectStatus } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { isBeforeRemoval, unknownId } from './removal.ts'
import { clientHeaders } from './client-headers.ts'

/** Names of headers have no case. */
const namesOfKey = ['Authorization', 'authorization', 'AUTHORIZATION']

/** As programs and proxies write headers, without what HTTP does not ask for, and with what some add. */
const headerForms: Partial<ShopRequest>[] = [
  { headerForm: 'lower' },
  { headerForm: 'upper' },
  { headerForm: 'tight' },
  { headerForm: 'wide' },
  { without: ['Accept', 'Accept-Encoding', 'User-Agent'] },
  { headers: { Accept: 'application/json; charset=utf-8, */*;q=0.1' } },
  { headers: { Accept: 'application/*' } },
  { headers: { Expect: '100-continue' } },
  { headerForm: 'reversed' },
  { headerForm: 'many', serverMayRefuse: true },
  { headers: { Cookie: `session=${'abcdefghij'.repeat(250)}; theme=dark` }, serverMayRefuse: true },
]

/** What clients send with a request that has no body. */
const bodylessForms: Partial<ShopRequest>[] = [
  { headers: { 'Content-Type': 'application/json' } },
  { headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': '0' } },
]

/** As other clients send it. A body that is compressed says so. */
const acceptHeaders: Record<string, string>[] = [
  { 'Accept-Encoding': 'gzip, deflate' },
  { 'Accept-Encoding': 'br, gzip;q=0.5' },
  { Accept: '*/*' },
  { Accept: 'text/html, */*;q=0.1' },
]

/** Types that a client takes beside JSON: a shop that knows them too must still send what the contract says. */
const otherAccepted = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'application/problem+json, application/json',
  'application/vnd.api+json, application/hal+json;q=0.9, application/json;q=0.8',
  'application/xml, text/xml, application/json;q=0.9, */*;q=0.8',
  'text/plain, application/json;q=0.5',
  'text/event-stream, application/x-ndjson, application/json',
  'application/x-msgpack, application/x-protobuf, application/cbor, application/json;q=0.5',
  'text/javascript, application/javascript, */*;q=0.5',
  'image/avif,image/webp,text/csv,*/*;q=0.8',
  'APPLICATION/JSON',
]

/** A request of each operation, and the status of its response. Those by id only as long as the contract has them. */
export async function requestsOf({ shop, stock }: Subject): Promise<[ShopRequest, number][]> {
  const [list, get, create] = [
    { method: 'GET', path: '/pets?limit=3' },
    { method: 'GET', path: `/pets/${(await stock.aSettledPet()).id}` },
    { method: 'POST', path: '/pets' },
  ] as const
  const byId: [ShopRequest, number][] = [
    [get, 200],
    [{ ...get, authorization: null }, 401],
    [{ method: 'GET', path: `/pets/${unknownId}` }, 404],
  ]
  return [
    [list, 200],
    [{ ...list, authorization: null }, 401],
    ...(isBeforeRemoval(shop.options.clock()) ? byId : []),
    [{ ...create, body: '{"name":5}' }, 400],
    [{ ...create, body: await stock.richBodyOf(), authorization: null }, 401],
    [{ ...create, body: await stock.richBodyOf({ status: '' }) }, 201],
  ]
}

/** The responses to the requests in each of these forms, with their statuses, those of one form at the same time. */
async function* inForms(
  subject: Subject,
  forms: readonly Partial<ShopRequest>[],
): AsyncGenerator<{ exchange: Exchange; status: number }> {
  for (const form of forms) {
    const all = await requestsOf(subject)
    const exchanges = await subject.shop.sendTogether(all.map(([request]) => ({ ...request, ...form })))
    for (const [index, exchange] of exchanges.entries()) yield { exchange, status: all[index]?.[1] ?? 200 }
  }
}

export const transferChecks: readonly Check[] = [
  reads('C-4-7', {
    name: 'a client that accepts gzip or any type gets a list that it can read',
    sentence: says.mediaType,
    conclusion: 'The coding of a body does not change what the body is.',
    async run({ shop }) {
      for (const headers of acceptHeaders) {
        const list = await shop.send({ method: 'GET', path: '/pets?limit=30', headers })
        expectArray(list)
        expectJsonType(list)
      }
    },
  }),
  writes('C-4-9', {
    name: 'a client that would also take a web page, or another type, gets JSON, errors too',
    sentence: says.mediaType,
    conclusion: 'It is what every client gets that takes it, whatever else it takes.',
    turn: 'settled',
    async run(subject) {
      const forms = otherAccepted.map((accepted) => ({ headers: { Accept: accepted } }))
      for await (const { exchange, status } of inForms(subject, forms)) {
        if (status >= 400) expectError(exchange, status)
        else expectStatus(exchange, status)
        expectJsonType(exchange)
      }
    },
  }),
  writes('C-4-10', {
    name: 'how headers are written does not matter, nor in how many parts a request comes',
    sentence: says.mediaType,
    conclusion: 'HTTP has the same request in many forms: names of headers have no case, and a body may come in parts.',
    turn: 'settled',
    async run(subject) {
      const { shop, stock } = subject
      for (const [request, status] of await requestsOf(subject)) {
        if (request.authorization === null) continue
        for (const name of namesOfKey.filter((one) => one !== shop.authorizationName)) {
          // A create of its own: it must not be taken for the one before.
          const body = status === 201 ? { body: await stock.richBodyOf({ status: '' }) } : {}
          const headers = { [name]: `Bearer ${shop.options.key}` }
          expectStatus(await shop.send({ ...request, ...body, headers, authorization: null }), status)
        }
      }
      for await (const { exchange, status } of inForms(subject, headerForms))
        if (!isServerRefusal(exchange)) expectStatus(exchange, status)
      for (const form of bodylessForms)
        for (const [request, status] of await requestsOf(subject))
          if (request.method === 'GET') expectStatus(await shop.send({ ...request, ...form }), status)
      // In parts, all at the same time: each part is waited for.
      const parts = (await requestsOf(subject)).map(([request, status]) => ({ ...request, bodyCuts: [5], status }))
      const exchanges = await shop.sendTogether(parts)
      for (const [index, { status }] of parts.entries()) expectStatus(exchanges[index] as Exchange, status)
      // HTTP lets a client send chunks only to a server that knows HTTP/1.1: RFC 9112, section 6.1.
      const isVersion11 = (await shop.list('?limit=1')).response?.isVersion10 === undefined
      const inChunks = { headers: { 'Transfer-Encoding': 'chunked' }, bodyCuts: [5] }
      for (const [request, status] of isVersion11 ? await requestsOf(subject) : [])
        if (request.body !== undefined) await expectStatusUnlessRefused(subject, { ...request, ...inChunks }, status)
      const names = [stock.newName(), ...(isVersion11 ? [stock.newName()] : [])]
      const end = `${'Rex und Tom '.repeat(5)}!`
      const inMany = names.map(async (name, index): Promise<ShopRequest> => {
        const body = await stock.bodyOf({ name: `"${name} 🐕 é \\u00e9 日 ${end}"` })
        const headers = index === 0 ? {} : { 'Transfer-Encoding': 'chunked' }
        return { method: 'POST', path: '/pets', body, bodyCuts: cutsOf(body), headers }
      })
      for (const [index, made] of (await shop.sendTogether(await Promise.all(inMany))).entries())
        if (!isServerRefusal(made)) expectName(made, `${names[index]} 🐕 é é 日 ${end}`)
    },
  }),
  writes('C-4-11', {
    name: 'the case of the media type of a create does not matter, nor a charset beside it',
    sentence: says.mediaType,
    conclusion:
      'It is the same type in capitals, and with a charset, which JSON does not need (RFC 9110, section 8.3.1).',
    async run({ shop, stock }) {
      for (const contentType of [
        'application/json; charset=utf-8',
        'application/json;charset=UTF-8',
        'Application/JSON',
      ]) {
        const create = { method: 'POST', path: '/pets', contentType } as const
        expectPet(await shop.send({ ...create, body: await stock.richBodyOf() }), 201)
        for (const members of [{ name: '' }, { name: '5' }, { categoryId: '"1"' }, { status: '"lost"' }])
          expectError(await shop.send({ ...create, body: await stock.bodyOf(members) }), 400)
        for (const body of ['', '{', '[]']) expectError(await shop.send({ ...create, body }), 400)
      }
    },
  }),
  writes('C-4-12', {
    name: 'what clients commonly say about themselves changes no response',
    sentence: says.mediaType,
    conclusion: 'Nothing in the contract depends on languages, programs or proxies.',
    turn: 'settled',
    async run(subject) {
      const forms = clientHeaders(subject.shop.options.url).map((headers) => ({ headers }))
      for await (const { exchange, status } of inForms(subject, forms)) {
        if (status >= 400) expectError(exchange, status)
        else if (exchange.request.path.includes('?')) expectArray(exchange)
        else expectPet(exchange, status)
        expectJsonType(exchange)
      }
    },
  }),
]

async function expectStatusUnlessRefused({ shop }: Subject, request: ShopRequest, status: number): Promise<void> {
  const exchange = await shop.send(request)
  if (!isServerRefusal(exchange)) expectStatus(exchange, status)
}

/** Within the first byte, within each character of several bytes, within an escape, within a number. */
function cutsOf(body: string): number[] {
  const offsetOf = (text: string) => Buffer.byteLength(body.slice(0, body.indexOf(text)))
  const inName = [
    offsetOf('🐕') + 1,
    offsetOf('🐕') + 2,
    offsetOf('é') + 1,
    offsetOf('\\u00e9') + 3,
    offsetOf('日') + 2,
  ]
  return [1, ...inName, offsetOf('"categoryId":') + '"categoryId":'.length + 1]
}
