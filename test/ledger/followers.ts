import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { framesOf } from '../support/event-stream.ts'
import { type Animal, apiKey, ask, nextOf, type WireEvent } from './client.ts'
import { differences, type Shop } from './ledger.ts'

/** A client that reads continuously, and continues after every interruption. */
export interface Follower {
  readonly name: string
  /** How often it reconnected. */
  readonly interruptions: number
  /** Resolves when it has received everything that is in the shop, or after a timeout. */
  caughtUp(shop: Shop): Promise<void>
  /** Returns a sentence for everything that it received wrongly, or did not receive. */
  compare(shop: Shop): string[]
}

const retryMs = 200
const catchUpMs = 30_000

/** Reads a stream of server-sent events, and resumes it with the last id. */
export function followStream(t: TestContext, origin: string): Follower {
  const received: WireEvent[] = []
  const refusals: string[] = []
  const stopped = stopWith(t)
  let interruptions = -1
  let lastId = '0'

  async function read(): Promise<void> {
    const response = await fetch(`${origin}/v1/events`, {
      headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream', 'last-event-id': lastId },
      signal: stopped,
    })
    if (response.status !== 200) return recordRefusal(refusals, response)
    for await (const frames of framesOf<WireEvent>(response.body as ReadableStream<Uint8Array>)) {
      for (const { id, event } of frames) {
        if (event !== undefined) received.push(event)
        lastId = id ?? lastId
      }
    }
  }

  void repeat(stopped, () => {
    interruptions++
    return read()
  })
  return {
    name: 'a stream of events',
    get interruptions() {
      return interruptions
    },
    caughtUp: ({ events }) => until(() => received.length >= events.length),
    compare: ({ events }) => [...refusals, ...differences(received, events)],
  }
}

/** Reads pages of events by their links; at the end it reads again from the last position. */
export function followPages(t: TestContext, origin: string): Follower {
  const received: WireEvent[] = []
  const refusals: string[] = []
  const stopped = stopWith(t)
  let interruptions = 0
  let path = '/events?limit=100&after=0'

  void repeat(stopped, async () => {
    const response = await ask(origin, `GET ${path}`).catch(() => undefined)
    if (response?.status !== 200) {
      interruptions++
      return response === undefined ? undefined : recordRefusal(refusals, response)
    }
    const page = (await response.json()) as WireEvent[]
    received.push(...page)
    const last = page.at(-1)
    if (last !== undefined) path = nextOf(response) ?? `/events?limit=100&after=${last.id}`
  })
  return {
    name: 'pages of events',
    get interruptions() {
      return interruptions
    },
    caughtUp: ({ events }) => until(() => received.length >= events.length),
    compare: ({ events }) => [...refusals, ...differences(received, events)],
  }
}

/** Reads the pages of animals by cursor, from the first one again after the last. */
export function followLists(t: TestContext, origin: string): Follower {
  const seen = new Map<string, Animal>()
  const refusals: string[] = []
  const stopped = stopWith(t)
  let interruptions = 0
  let path = '/pets?limit=100'

  void repeat(stopped, async () => {
    const response = await ask(origin, `GET ${path}`).catch(() => undefined)
    if (response?.status !== 200) {
      interruptions++
      return response === undefined ? undefined : recordRefusal(refusals, response)
    }
    for (const animal of (await response.json()) as Animal[]) seen.set(JSON.stringify(animal), animal)
    path = nextOf(response) ?? '/pets?limit=100'
  })
  return {
    name: 'pages of animals',
    get interruptions() {
      return interruptions
    },
    caughtUp: async () => undefined,
    compare({ events }) {
      const happened = new Set(events.map(({ data }) => JSON.stringify(data)))
      const never = [...seen.keys()].filter((animal) => !happened.has(animal))
      return [...refusals, ...never.map((animal) => `a list showed ${animal}, which never existed`)]
    },
  }
}

/** Records a response that no fault explains. */
async function recordRefusal(refusals: string[], response: Response): Promise<void> {
  const text = await response.text().catch(() => '')
  if (response.status !== 503) refusals.push(`it was refused with ${response.status} ${text}`)
}

async function repeat(stopped: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stopped.aborted) {
    await work().catch(() => undefined)
    await wait(retryMs)
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + catchUpMs
  while (!isTrue() && performance.now() < end) await wait(100)
}

function stopWith(t: TestContext): AbortSignal {
  const stop = new AbortController()
  t.after(() => stop.abort())
  return stop.signal
}
