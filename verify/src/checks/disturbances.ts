import { KeptConnection } from '../http/kept-connection.ts'
import { type Check, type Subject, writes } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { expectStatus } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { fewRequestKinds } from './request-kinds.ts'
import { expectOnConnection, maxShortMs } from './sequences.ts'

/** Requests of which the contract does not say what their response is, and that add nothing. */
const openPaths = [
  ...['0', '100000', 'x&status=', '2&limit=50'].map((limit) => `/pets?limit=${limit}`),
  '/pets?status=lost',
  '/pets?x=1',
  '/pets/abc',
  '/pets/1/toys',
  '/no-such-path',
]
const openRequests: readonly ShopRequest[] = [
  ...openPaths.map((path) => ({ method: 'GET', path }) as const),
  { method: 'OPTIONS', path: '/pets' },
  { method: 'POST', path: '/pets', contentType: 'text/plain', body: 'Rex' },
  { method: 'POST', path: '/pets', contentType: 'application/x-www-form-urlencoded', body: 'name=&categoryId=' },
  { method: 'POST', path: '/pets', body: '\ufeff' },
  { method: 'GET', path: '/pets', headers: { Range: 'bytes=5-9' } },
]

/** Clients that go away at the same time, so that what each leaves behind adds up. */
const brokenOffTogether = 8

/** A client that goes away: within the first line, before the end of the head, within the body, before the response. */
async function brokenOff({ stock }: Subject): Promise<[ShopRequest, number][]> {
  const list: ShopRequest = { method: 'GET', path: '/pets?limit=100' }
  const create: ShopRequest = { method: 'POST', path: '/pets', body: await stock.bodyOf() }
  return [
    [list, 12],
    [list, -2],
    [list, Number.POSITIVE_INFINITY],
    [create, -30],
    [create, -1],
    [{ ...create, headers: { 'Transfer-Encoding': 'chunked' } }, -20],
    [{ ...create, authorization: null }, -30],
  ]
}

export const disturbanceChecks: readonly Check[] = [
  writes('C-4-17', {
    name: 'nothing changes after a request that the contract does not have, or that a client did not end',
    sentence: says.page,
    conclusion: 'The responses of an operation depend on its request: section 4 has no other cause.',
    turn: 'many',
    async run(subject) {
      const { shop, stock } = subject
      await stock.showFew()
      const kinds = await fewRequestKinds(subject)
      const endsAt = performance.now() + maxShortMs
      const connection = new KeptConnection()
      try {
        for (const [place, request] of openRequests.entries())
          for (const [index, kind] of kinds.entries()) {
            if (performance.now() > endsAt) return
            const isKept = (place + index) % 2 === 0
            await shop.send(isKept ? { ...request, connection } : request)
            if (isKept) await expectOnConnection(subject, kind, connection)
            else expectStatus(await shop.send(await kind.next()), kind.status)
          }
        for (const [request, end] of await brokenOff(subject)) {
          if (performance.now() > endsAt) return
          await Promise.all(Array.from({ length: brokenOffTogether }, () => shop.breakOff(request, end)))
          for (const kind of kinds) expectStatus(await shop.send(await kind.next()), kind.status)
        }
      } finally {
        connection.close()
      }
    },
  }),
]
