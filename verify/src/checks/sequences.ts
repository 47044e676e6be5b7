import { setTimeout as wait } from 'node:timers/promises'
import { KeptConnection } from '../http/kept-connection.ts'
import { type Check, type Subject, writes } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import { expectStatus } from '../shop/expect.ts'
import { isBeforeRemoval } from './removal.ts'
import { type RequestKind, requestKinds } from './request-kinds.ts'

const httpSentence = 'The service is a pet store inventory interface over HTTP with JSON bodies.'

/** Requests of all kinds at the same time, and how often. */
const togetherRounds = 5
/** Requests of one kind at the same time. */
const togetherOfOneKind = 8
/** In most cases, the end of a connection is known by then that a server closed without saying so. */
const closeGapMs = 1
/** For one sequence. A slow shop gets the beginning of it. */
const maxMs = 20_000

/** So that each comes once after each, itself too. */
export function everyPair<Item>(items: readonly Item[]): Item[] {
  return items.flatMap((one, index) => [one, ...items.slice(index + 1).flatMap((other) => [one, other])])
}

/** Sends the requests one after another. The model judges what is in the responses. */
async function expectOneByOne({ shop }: Subject, kinds: readonly RequestKind[]): Promise<void> {
  const endsAt = performance.now() + maxMs
  for (const { status, next } of kinds) {
    if (performance.now() > endsAt) return
    expectStatus(await shop.send(await next()), status)
  }
}

/** The connection also sees, in the end, an animal that was added on another one after its first reads. */
async function expectOnOneConnection({ shop, stock }: Subject, kinds: readonly RequestKind[]): Promise<void> {
  const connection = new KeptConnection()
  const endsAt = performance.now() + maxMs
  try {
    for (const { next } of kinds.filter(({ status }) => status === 200))
      await shop.send({ ...(await next()), connection })
    const { pet } = await stock.add()
    for (const { status, next } of kinds) {
      if (performance.now() > endsAt) return
      const request = await next()
      if (request.method === 'POST') await wait(closeGapMs)
      const exchange = await shop.send({ ...request, connection })
      const isTooLate = /^(?:closed the connection without|reset the connection after 0 )/.test(exchange.fault ?? '')
      if (request.method === 'GET' || !isTooLate) expectStatus(exchange, status)
    }
    if (!isBeforeRemoval(shop.options.clock())) return
    await shop.settle()
    expectStatus(await shop.send({ method: 'GET', path: `/pets/${pet.id}`, connection }), 200)
  } finally {
    connection.close()
  }
}

async function expectTogether({ shop }: Subject, kinds: readonly RequestKind[]): Promise<void> {
  const requests = await Promise.all(kinds.map(({ next }) => next()))
  const exchanges = await shop.sendTogether(requests)
  for (const [index, { status }] of kinds.entries()) expectStatus(exchanges[index] as Exchange, status)
}

/** The same kinds, beginning with another. */
function turned<Item>(items: readonly Item[], start: number): Item[] {
  return [...items.slice(start % items.length), ...items.slice(0, start % items.length)]
}

export const sequenceChecks: readonly Check[] = [
  writes('C-4-13', {
    name: 'a response depends neither on the request before it nor on its connection',
    sentence: httpSentence,
    needsMany: true,
    async run(subject) {
      await subject.stock.showFew()
      const pairs = everyPair(await requestKinds(subject))
      await expectOneByOne(subject, pairs)
      await expectOnOneConnection(subject, pairs.toReversed())
    },
  }),
  writes('C-4-15', {
    name: 'requests at the same time get each the response that it gets alone',
    sentence: httpSentence,
    needsMany: true,
    async run(subject) {
      await subject.stock.showFew()
      const kinds = await requestKinds(subject)
      for (let round = 0; round < togetherRounds; round++) await expectTogether(subject, turned(kinds, 7 * round))
      for (const kind of kinds)
        await expectTogether(
          subject,
          Array.from({ length: togetherOfOneKind }, () => kind),
        )
    },
  }),
]
