import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { check } from './check.ts'
import { makeClients } from './clients.ts'
import { caughtUp, followStream, receiveWebhook } from './followers.ts'
import { type Animal, describe, describeEvent, type FeedEvent, type History } from './history.ts'
import { type Random, randomFrom } from './random.ts'
import { send, type Sender } from './send.ts'

export interface Run {
  senders: readonly Sender[]
  seed: number
  /** How long clients ask, in milliseconds. */
  forMs: number
  /** They ask longer if the machine is so slow that fewer were answered. */
  minAnswers?: number
  clients?: number
  pauseMs?: number
  /** How old single animals, orders and lists may be, in milliseconds. */
  lagMs?: number
  /** How long those who follow the events may take to get the last one. */
  patienceMs?: number
  /** Something breaks, and is mended. Called again and again. */
  strike?: (random: Random) => Promise<void>
}

/** Between two strikes. */
const answersBetween = 100
const minStrikes = 3
const defaultMinAnswers = 200
/** One fault may have many consequences. */
const maxShown = 10

/** Lets clients use a shop while faults strike it, and asserts that all answers fit one story. */
export async function assertOneStory(t: TestContext, run: Run): Promise<void> {
  const history = await record(run)
  const anomalies = check(history)
  const { calls, feed } = history
  const answered = calls.filter(({ answer }) => answer !== undefined).length
  const maybe = calls.filter(({ isMaybe }) => isMaybe).length
  t.diagnostic(
    `seed ${run.seed}: ${calls.length} requests, ${answered} answered, ${maybe} unknown, ${feed.length} events`,
  )
  const shown = anomalies
    .toSorted((a, b) => a.calls.length - b.calls.length)
    .slice(0, maxShown)
    .map(({ rule, calls: few, events = [] }) => [rule, ...few.map(describe), ...events.map(describeEvent)].join('\n'))
  assert.equal(
    anomalies.length,
    0,
    `${anomalies.length} anomalies with seed ${run.seed}. The smallest first:\n${shown.join('\n\n')}`,
  )
}

export async function record({
  senders,
  seed,
  forMs,
  minAnswers = defaultMinAnswers,
  clients = 8,
  pauseMs,
  lagMs = 0,
  patienceMs,
  strike,
}: Run): Promise<History> {
  const asking = makeClients({ senders, seed, count: clients, ...(pauseMs === undefined ? {} : { pauseMs }) })
  const followers = [
    ...senders.map((each) => followStream(each, asking)),
    await receiveWebhook(senders[0] as Sender, asking, seed),
  ]
  asking.start()
  const random = randomFrom(seed)
  const end = performance.now() + forMs
  const least = Math.max(minAnswers, strike === undefined ? 0 : minStrikes * answersBetween)
  for (let answered = 0; performance.now() < end || answered < least; answered += answersBetween) {
    if (strike !== undefined) await strike(random)
    await asking.answered(answersBetween)
  }
  const calls = await asking.stop()
  const sender = senders[0] as Sender
  const feed = await readFeed(sender)
  await caughtUp(followers, feed.length, patienceMs)
  const animals = (await read(sender, { kind: 'export', filter: {} })) as Animal[]
  return { calls, feed, animals, told: followers, lagMs }
}

async function readFeed(sender: Sender): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (;;) {
    const page = (await read(sender, { kind: 'events', after: events.length, limit: 100 })) as FeedEvent[]
    if (page.length === 0) return events
    events.push(...page)
  }
}

/** When all faults are over, but a part may still be starting, and a proxy may have an answer to lose. */
async function read(sender: Sender, ask: Parameters<typeof send>[2]): Promise<unknown> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(200)) {
    const { answer } = await send(sender, 'at-the-end', ask)
    if (answer?.status === 200) return answer.body
  }
  throw new Error('The shop does not answer after the last fault.')
}
