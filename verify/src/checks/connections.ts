import { KeptConnection, Pipeline } from '../http/kept-connection.ts'
import { type Check, type Subject, writes } from '../shop/check.ts'
import { isServerRefusal, type ShopRequest } from '../shop/exchange.ts'
import { expectStatus, fail } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { requestsOf } from './transfers.ts'

/** A list after each: what is left of a request must not reach the next one. */
async function expectInTurn(
  { shop }: Subject,
  requests: readonly (readonly [ShopRequest, number])[],
  connection: KeptConnection,
): Promise<void> {
  const list: ShopRequest = { method: 'GET', path: '/pets?limit=3' }
  try {
    for (const [request, status] of requests) {
      const exchange = await shop.send({ ...request, connection })
      // What it has not read may still be on its connection.
      if (isServerRefusal(exchange)) return
      expectStatus(exchange, status)
      expectStatus(await shop.send({ ...list, connection }), 200)
    }
  } finally {
    connection.close()
  }
}

/** Bodies in chunks, to servers that must know them: RFC 9112, section 6.1. */
async function inChunks(subject: Subject): Promise<[ShopRequest, number][]> {
  const isVersion11 = (await subject.shop.list('?limit=1')).response?.isVersion10 === undefined
  const creates = (await requestsOf(subject)).filter(([{ body }]) => isVersion11 && body !== undefined)
  return creates.map(([request, status]) => [{ ...request, headers: { 'Transfer-Encoding': 'chunked' } }, status])
}

/**
 * A client may send requests that change nothing without waiting (RFC 9112, section 9.3.2). A server may close the
 * connection after any response, and the others are sent again.
 */
async function expectInPipeline({ shop }: Subject, requests: readonly (readonly [ShopRequest, number])[]) {
  const connection = new Pipeline(requests.length)
  const exchanges = await shop.sendTogether(requests.map(([request]) => ({ ...request, connection })))
  for (const [index, exchange] of exchanges.entries()) {
    if (exchange.fault?.startsWith('sent no whole response') === true) fail(exchange, 'a response to each request')
    if (exchange.response === undefined) return
    expectStatus(exchange, requests[index]?.[1] ?? 200)
  }
}

export const connectionChecks: readonly Check[] = [
  writes('C-1-2', {
    name: 'requests that follow one another on a connection get each its own response',
    sentence: says.http,
    conclusion:
      'HTTP gives each request on a connection a response of its own, in their order (RFC 9112, section 9.3).',
    turn: 'settled',
    async run(subject) {
      const wrongKey: [ShopRequest, number] = [{ method: 'GET', path: '/pets', authorization: 'Bearer x' }, 401]
      for (const connection of [new KeptConnection(), new KeptConnection(false)])
        await expectInTurn(
          subject,
          [...(await requestsOf(subject)), wrongKey, ...(await inChunks(subject))],
          connection,
        )
      const reads = (await requestsOf(subject)).filter(([{ method }]) => method === 'GET')
      const list: [ShopRequest, number] = [{ method: 'GET', path: '/pets?status=available' }, 200]
      await expectInPipeline(subject, [...reads, list, wrongKey, list])
      await expectInPipeline(subject, [wrongKey, ...reads.toReversed(), list])
    },
  }),
]
