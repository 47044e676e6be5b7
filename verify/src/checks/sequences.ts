import { setTimeout as wait } from 'node:timers/promises'
import { KeptConnection } from '../http/kept-connection.ts'
import { type Check, type Subject, writes } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import { expectStatus } from '../shop/expect.ts'
import { mixed } from '../shop/mixed.ts'
import { says } from './contract-sentences.ts'
import { isBeforeRemoval } from './removal.ts'
import { fewRequestKinds, type RequestKind, requestKinds } from './request-kinds.ts'

/** Requests of all kinds at the same time, and how often. */
const togetherRounds = 5
/** Requests of one kind at the same time, of two kinds each. */
const togetherOfOneKind = 8
/** Requests of one kind, one after another. */
const runLength = 10
/** Connections that send at once. A small server has few. */
const connectionsAtOnce = 5
const roundsAtOnce = 8
/** On a connection, before an animal is added on another one. */
const maxFirstReads = 30
/** Connections that wait while nothing is sent: a small server has few. */
const idleConnections = 4
/** In most cases, the end of a connection is known by then that a server closed without saying so. */
const closeGapMs = 1
/** For one sequence, and for a shorter one. A slow shop gets the beginning of it. */
const maxMs = 20_000
export const maxShortMs = 8000

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

/** A server may close a connection while a create is on its way. */
export async function expectOnConnection(
  { shop }: Subject,
  { status, next }: RequestKind,
  connection: KeptConnection,
): Promise<void> {
  const request = await next()
  if (request.method === 'POST') await wait(closeGapMs)
  expectUnlessClosed(await shop.send({ ...request, connection }), status)
}

function expectUnlessClosed(exchange: Exchange, status: number): void {
  const isTooLate = /^(?:closed the connection without|reset the connection after 0 )/.test(exchange.fault ?? '')
  if (exchange.request.method === 'GET' || !isTooLate) expectStatus(exchange, status)
}

/** The requests in turn on these connections, which are then closed. */
async function expectOnConnections(
  subject: Subject,
  kinds: readonly RequestKind[],
  connections: readonly KeptConnection[],
  endsAt = performance.now() + maxMs,
): Promise<void> {
  for (const [index, kind] of kinds.entries()) {
    const connection = connections[index % connections.length]
    if (performance.now() > endsAt || connection === undefined) return
    await expectOnConnection(subject, kind, connection)
  }
}

/** The connection also sees, in the end, an animal that was added on another one after its first reads. */
async function expectOnOneConnection(subject: Subject, kinds: readonly RequestKind[]): Promise<void> {
  const { shop, stock } = subject
  const endsAt = performance.now() + maxMs
  const connection = new KeptConnection()
  const idle = Array.from({ length: idleConnections }, () => new KeptConnection(false))
  // What a connection is used for first, after it was not used, are responses that carry animals.
  const few = (await fewRequestKinds(subject)).toSorted((a, b) => Number(a.status >= 400) - Number(b.status >= 400))
  try {
    for (const { next } of kinds.filter(({ status }) => status === 200).slice(0, maxFirstReads))
      await shop.send({ ...(await next()), connection })
    const { pet } = await stock.add()
    for (const one of idle) await shop.send({ method: 'GET', path: '/pets?limit=3', connection: one })
    const idleSinceMs = performance.now()
    await expectOnConnections(subject, kinds, [connection], endsAt)
    await shop.settle(idleSinceMs)
    await expectOnConnections(subject, few, idle)
    if (!isBeforeRemoval(shop.options.clock())) return
    expectStatus(await shop.send({ method: 'GET', path: `/pets/${pet.id}`, connection }), 200)
  } finally {
    for (const one of [connection, ...idle]) one.close()
  }
}

/** Many of a kind one after another, then a list; and all kinds on two connections in turn. */
async function expectInRuns(subject: Subject, kinds: readonly RequestKind[]): Promise<void> {
  const connections = [new KeptConnection(false), new KeptConnection()]
  const [list] = kinds
  if (list === undefined) return
  const endsAt = performance.now() + maxShortMs
  try {
    for (const kind of await fewRequestKinds(subject)) {
      const run = Array.from({ length: runLength }, () => kind)
      await expectOnConnections(subject, [...run, list], connections.slice(0, 1), endsAt)
    }
    await expectOnConnections(subject, mixed(kinds, turned(kinds, 7)), connections, endsAt)
  } finally {
    for (const connection of connections) connection.close()
  }
}

/** Some of the requests come in parts, so that others begin and end meanwhile. */
async function expectTogether({ shop }: Subject, kinds: readonly RequestKind[], slow = kinds.length): Promise<void> {
  const requests = await Promise.all(kinds.map(({ next }) => next()))
  const exchanges = await shop.sendTogether(
    requests.map((request, index) => (index % slow === slow - 1 ? { ...request, bodyCuts: [5] } : request)),
  )
  for (const [index, { status }] of kinds.entries()) expectStatus(exchanges[index] as Exchange, status)
}

/** On connections that are open, so that the requests come closer together than new ones can be accepted. */
async function expectAtOnce(subject: Subject, kinds: readonly RequestKind[]): Promise<void> {
  const connections = Array.from({ length: connectionsAtOnce }, () => new KeptConnection())
  const endsAt = performance.now() + maxShortMs
  try {
    for (let round = 0; round < roundsAtOnce && performance.now() < endsAt; round++) {
      const creates = kinds.filter(({ status }) => status === 201)
      const chosen = round % 2 === 0 ? creates : turned(kinds, 3 * round)
      const all = connections.map((connection, index) => ({
        ...(chosen[index % chosen.length] as RequestKind),
        connection,
      }))
      const requests = await Promise.all(all.map(async ({ next, connection }) => ({ ...(await next()), connection })))
      const exchanges = await subject.shop.sendTogether(requests)
      for (const [index, { status }] of all.entries()) expectUnlessClosed(exchanges[index] as Exchange, status)
    }
  } finally {
    for (const connection of connections) connection.close()
  }
}

/** The same kinds, beginning with another. */
function turned<Item>(items: readonly Item[], start: number): Item[] {
  return [...items.slice(start % items.length), ...items.slice(0, start % items.length)]
}

export const sequenceChecks: readonly Check[] = [
  writes('C-4-13', {
    name: 'a response depends neither on the requests before it nor on its connection',
    sentence: says.page,
    conclusion: 'The responses of an operation depend on its request: section 4 has no other cause.',
    turn: 'many',
    async run(subject) {
      await subject.stock.showFew()
      const kinds = await requestKinds(subject)
      const pairs = everyPair(kinds)
      // All pairs are on one connection below: here it is what most clients do that counts.
      await expectOneByOne(subject, everyPair(await fewRequestKinds(subject)))
      await expectInRuns(subject, kinds)
      await expectOnOneConnection(subject, pairs.toReversed())
    },
  }),
  writes('C-4-15', {
    name: 'requests at the same time get each the response that it gets alone',
    sentence: says.page,
    conclusion: 'The responses of an operation depend on its request: section 4 has no other cause.',
    turn: 'many',
    async run(subject) {
      await subject.stock.showFew()
      const kinds = await requestKinds(subject)
      for (let round = 0; round < togetherRounds; round++) await expectTogether(subject, turned(kinds, 7 * round))
      await expectAtOnce(subject, kinds)
      for (const slow of [2, 3]) await expectTogether(subject, turned(kinds, slow), slow)
      const half = Math.ceil(kinds.length / 2)
      for (const [index, kind] of kinds.slice(0, half).entries()) {
        const two = [kind, ...kinds.slice(half + index, half + index + 1)]
        await expectTogether(
          subject,
          two.flatMap((one) => Array.from({ length: togetherOfOneKind }, () => one)),
          togetherOfOneKind,
        )
      }
    },
  }),
]
