import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { KeptConnection } from '../http/kept-connection.ts'
import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, headerOf, type ShopRequest } from '../shop/exchange.ts'
import { expectArray, expectError, expectJsonType, expectPet, expectStatus, fail } from '../shop/expect.ts'
import { isBeforeRemoval, unknownId } from './removal.ts'

const jsonSentence = 'All requests and responses with a body use `application/json`.'
const httpSentence = 'The service is a pet store inventory interface over HTTP with JSON bodies.'
const maxOutputLength = 8 * 1024 * 1024
const decoders: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  identity: (body) => body,
}

/** As other clients send it. A body that is compressed says so. */
const acceptHeaders: Record<string, string>[] = [
  { 'Accept-Encoding': 'gzip, deflate' },
  { 'Accept-Encoding': 'br, gzip;q=0.5' },
  { Accept: '*/*' },
  { Accept: 'text/html, */*;q=0.1' },
]

/** A request of each operation, and the status of its response. Those by id only as long as the contract has them. */
async function requestsOf({ shop, stock }: Subject): Promise<[ShopRequest, number][]> {
  const [list, get, create] = [
    { method: 'GET', path: '/pets?limit=3' },
    { method: 'GET', path: `/pets/${(await stock.aPet()).id}` },
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
    [{ ...create, body: await stock.bodyOf(), authorization: null }, 401],
    [{ ...create, body: await stock.bodyOf() }, 201],
  ]
}

export const transferChecks: readonly Check[] = [
  reads('C-4-7', {
    name: 'a client that accepts gzip or any type gets a list that it can read',
    sentence: jsonSentence,
    async run({ shop }) {
      for (const headers of acceptHeaders) {
        const list = await shop.send({ method: 'GET', path: '/pets?limit=30', headers })
        expectArray(decoded(list))
        expectJsonType(list)
      }
    },
  }),
  writes('C-4-8', {
    name: 'requests that follow one another on a connection get each its own response',
    sentence: httpSentence,
    async run(subject) {
      const { shop } = subject
      const list: ShopRequest = { method: 'GET', path: '/pets?limit=3' }
      const requests = [...(await requestsOf(subject)), [{ ...list, authorization: 'Bearer x' }, 401] as const]
      const connection = new KeptConnection()
      try {
        // A list after each: what is left of a request must not reach the next one.
        for (const [request, status] of requests) {
          expectStatus(await shop.send({ ...request, connection }), status)
          expectStatus(await shop.send({ ...list, connection }), 200)
        }
      } finally {
        connection.close()
      }
    },
  }),
  writes('C-4-9', {
    name: 'a client that would also take a web page gets JSON, errors too',
    sentence: jsonSentence,
    async run(subject) {
      const headers = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
      for (const [request, status] of await requestsOf(subject)) {
        const exchange = await subject.shop.send({ ...request, headers })
        if (status >= 400) expectError(exchange, status)
        else expectStatus(exchange, status)
        expectJsonType(exchange)
      }
    },
  }),
  writes('C-4-10', {
    name: 'the case of the name of a header does not matter, nor in how many parts a request comes',
    sentence: httpSentence,
    async run(subject) {
      const { shop, stock } = subject
      for (const [request, status] of await requestsOf(subject)) {
        if (request.authorization === null) continue
        const headers = { authorization: `Bearer ${shop.options.key}` }
        expectStatus(await shop.send({ ...request, headers, authorization: null }), status)
      }
      const name = `${stock.newName()} 🐕 ${'Rex und Tom '.repeat(5)}`
      const body = await stock.bodyOf({ name: JSON.stringify(name) })
      const made = await shop.send({ method: 'POST', path: '/pets', body, inParts: true })
      if (expectPet(made, 201).name !== name) fail(made, `the name ${JSON.stringify(name)}`)
      const headers = { 'Transfer-Encoding': 'chunked' }
      const inChunks = await shop.send({ method: 'POST', path: '/pets', body: await stock.bodyOf(), headers })
      // HTTP lets a server ask for a length: RFC 9112, section 6.3.
      if (inChunks.response?.status !== 411) expectPet(inChunks, 201)
    },
  }),
]

/** The exchange with its body as it was before it was compressed. */
function decoded(exchange: Exchange): Exchange {
  const { response } = exchange
  const coding = response && headerOf(response, 'content-encoding')
  if (response === undefined || coding === undefined) return exchange
  const decode = decoders[coding.trim().toLowerCase()]
  if (decode === undefined) fail(exchange, 'a Content-Encoding that the request accepts')
  try {
    return { ...exchange, response: { ...response, body: decode(response.body, { maxOutputLength }) } }
  } catch {
    return fail(exchange, `a body in the Content-Encoding ${coding}`)
  }
}
