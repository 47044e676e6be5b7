import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { check } from './check.ts'
import { startClients } from './clients.ts'
import { type Animal, describe, type FeedEvent, type History } from './history.ts'
import { type Random, randomFrom } from './random.ts'
import { send, type Sender } from './send.ts'

export interface Run {
  senders: readonly Sender[]
  seed: number
  /** How long clients ask, in milliseconds. */
  forMs: number
  clients?: number
  pauseMs?: number
  /** Something breaks, and is mended. Called again and again. */
  strike?: (random: Random) => Promise<void>
}

/** Between two strikes. */
const minAnswers = 100

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
  assert.ok(answered > 100, 'there is something to judge')
  const [first] = anomalies.toSorted((a, b) => a.calls.length - b.calls.length)
  assert.equal(
    anomalies.length,
    0,
    `${anomalies.length} anomalies with seed ${run.seed}. The smallest: ${first?.rule}\n${first?.calls.map(describe).join('\n')}`,
  )
}

export async function record({ senders, seed, forMs, clients = 8, pauseMs, strike }: Run): Promise<History> {
  const asking = startClients({ senders, seed, count: clients, ...(pauseMs === undefined ? {} : { pauseMs }) })
  const random = randomFrom(seed)
  const end = performance.now() + forMs
  while (performance.now() < end) {
    if (strike !== undefined) await strike(random)
    await asking.answered(minAnswers)
  }
  const calls = await asking.stop()
  const [sender] = senders
  if (sender === undefined) throw new Error('There is no service.')
  return { calls, feed: await readFeed(sender), animals: await readAnimals(sender) }
}

async function readFeed(sender: Sender): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (;;) {
    const page = (await read(sender, { kind: 'events', after: events.length, limit: 100 })) as FeedEvent[]
    if (page.length === 0) return events
    events.push(...page)
  }
}

async function readAnimals(sender: Sender): Promise<Animal[]> {
  const response = await fetch(`${sender.base}/pets/export?format=ndjson`, {
    headers: { authorization: `Bearer ${sender.key}` },
  })
  assert.equal(response.status, 200)
  const lines = (await response.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Animal)
}

/** When all faults are over, but a part may still be starting. */
async function read(sender: Sender, ask: Parameters<typeof send>[2]): Promise<unknown> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(200)) {
    const { answer } = await send(sender, 'at-the-end', ask)
    if (answer?.status === 200) return answer.body
  }
  throw new Error('The shop does not answer after the last fault.')
}
