import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { KeptConnection } from '../http/kept-connection.ts'
import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, headerOf, jsonOf } from '../shop/exchange.ts'
import { expectArray, expectError, expectJsonType, expectStatus, fail, Skipped } from '../shop/expect.ts'
import { int64Of, member } from '../shop/json.ts'
import { isBeforeRemoval, unknownId } from './removal.ts'

const maxOutputLength = 8 * 1024 * 1024
const decoders: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  identity: (body) => body,
}

/** The responses of the contract that are errors. */
const refusals = {
  400: async ({ shop, stock }: Subject) => shop.create(await stock.bodyOf({ name: '', categoryId: '1' })),
  401: ({ shop }: Subject) => shop.send({ method: 'GET', path: '/pets', authorization: null }),
  404: ({ shop }: Subject) => shop.get(unknownId),
}

/** Skips the check if the request was not refused so: another check reports that. */
async function refusal(status: keyof typeof refusals, subject: Subject): Promise<Exchange> {
  const exchange = await refusals[status](subject)
  if (exchange.response === undefined) fail(exchange, `the status ${status}`)
  if (exchange.response.status !== status) throw new Skipped(`no request was refused with ${status}`)
  return exchange
}

const errorKinds = ([401, 404, 400] as const).map((status, index) => {
  const kind = status === 400 ? writes : reads
  return kind(`C-7-${index + 1}`, {
    name: `a ${status} has an Error with code, message and status`,
    sentence: 'Error responses carry an Error object (section 2) with `code`, `message` and `status`.',
    ...(status === 404 && { isDue: isBeforeRemoval }),
    async run(subject) {
      expectError(await refusal(status, subject), status)
    },
  })
})

const errorStatuses = ([401, 404, 400] as const).map((status, index) => {
  const kind = status === 400 ? writes : reads
  return kind(`C-2-${9 + index}`, {
    name: `the status in the Error of a ${status} is ${status}`,
    sentence: 'status: integer, required. The HTTP status code.',
    ...(status === 404 && { isDue: isBeforeRemoval }),
    async run(subject) {
      const exchange = await refusal(status, subject)
      const value = exchange.response && int64Of(member(jsonOf(exchange.response), 'status'))
      if (value !== undefined && value !== BigInt(status)) fail(exchange, `"status":${status} in the body`)
      if (value === undefined) throw new Skipped('the body is no Error with a status')
    },
  })
})

const sentence = 'All requests and responses with a body use `application/json`.'

const types: readonly Check[] = [
  reads('C-4-1', {
    name: 'a page of animals is application/json',
    sentence,
    async run({ shop }) {
      const list = await shop.list()
      if (list.response?.status !== 200) throw new Skipped('the list is not 200')
      expectJsonType(list)
    },
  }),
  writes('C-4-2', {
    name: 'the response to a create is application/json',
    sentence,
    async run({ stock }) {
      expectJsonType((await stock.add()).exchange)
    },
  }),
  reads('C-4-3', {
    name: 'an animal by its id is application/json',
    sentence,
    isDue: isBeforeRemoval,
    async run({ shop, stock }) {
      const { id } = await stock.anyPet()
      const got = await shop.settled(
        () => shop.get(id),
        ({ response }) => response?.status === 200,
      )
      if (got.response?.status !== 200) throw new Skipped('no animal could be fetched by its id')
      expectJsonType(got)
    },
  }),
  ...([401, 404, 400] as const).map((status, index) => {
    const kind = status === 400 ? writes : reads
    return kind(`C-4-${4 + index}`, {
      name: `a ${status} is application/json`,
      sentence,
      ...(status === 404 && { isDue: isBeforeRemoval }),
      async run(subject) {
        expectJsonType(await refusal(status, subject))
      },
    })
  }),
]

/** As other clients send it. A body that is compressed says so. */
const acceptHeaders: Record<string, string>[] = [
  { 'Accept-Encoding': 'gzip, deflate' },
  { 'Accept-Encoding': 'br, gzip;q=0.5' },
  { Accept: '*/*' },
  { Accept: 'text/html, */*;q=0.1' },
]

const transfers: readonly Check[] = [
  reads('C-4-7', {
    name: 'a client that accepts gzip or any type gets a list that it can read',
    sentence,
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
    sentence: 'The service is a pet store inventory interface over HTTP with JSON bodies.',
    async run({ shop, stock }) {
      const body = await stock.bodyOf()
      const connection = new KeptConnection()
      const list = { method: 'GET', path: '/pets?limit=3', connection } as const
      const create = { method: 'POST', path: '/pets', connection } as const
      try {
        for (const [request, status] of [
          [list, 200],
          [{ ...create, body, authorization: null }, 401],
          [list, 200],
          [{ ...create, body: '{"name":5}' }, 400],
          [list, 200],
          [{ ...list, authorization: 'Bearer x' }, 401],
          [{ ...create, body: await stock.bodyOf() }, 201],
          [list, 200],
        ] as const)
          expectStatus(await shop.send(request), status)
      } finally {
        connection.close()
      }
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

export const bodyChecks: readonly Check[] = [...errorStatuses, ...types, ...transfers]
export const errorChecks: readonly Check[] = errorKinds
