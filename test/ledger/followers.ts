import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Animal, apiKey, ask, nextOf, type WireEvent } from './client.ts'
import { differences, type Shop } from './ledger.ts'

/** Somebody who reads along while the primary has a bad day, and goes on wherever the service lets it. */
export interface Follower {
  readonly name: string
  /** How often it reconnected. */
  readonly interruptions: number
  /** Resolves when it has heard of all that is in the shop, or has had the time for that. */
  caughtUp(shop: Shop): Promise<void>
  /** Every sentence is something that it should not have been told, or should have been. */
  compare(shop: Shop): string[]
}

const retryMs = 200
const catchUpMs = 30_000

/** A stream of server-sent events, resumed with the last id that it sent. */
export function followStream(t: TestContext, origin: string): Follower {
  const told: WireEvent[] = []
  const refusals: string[] = []
  const stopped = stopWith(t)
  let interruptions = -1
  let lastId = '0'

  async function read(): Promise<void> {
    const response = await fetch(`${origin}/v1/events`, {
      headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream', 'last-event-id': lastId },
      signal: stopped,
    })
    if (response.status !== 200) return refuse(refusals, response)
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1]
        if (data !== undefined) told.push(JSON.parse(data) as WireEvent)
        lastId = /^id: (.*)$/m.exec(frame)?.[1] ?? lastId
      }
    }
  }

  void again(stopped, () => {
    interruptions++
    return read()
  })
  return {
    name: 'a stream of events',
    get interruptions() {
      return interruptions
    },
    caughtUp: ({ events }) => until(() => told.length >= events.length),
    compare: ({ events }) => [...refusals, ...differences(told, events)],
  }
}

/** Pages of events, from one link to the next; at the end the last position again. */
export function followPages(t: TestContext, origin: string): Follower {
  const told: WireEvent[] = []
  const refusals: string[] = []
  const stopped = stopWith(t)
  let interruptions = 0
  let path = '/events?limit=100&after=0'

  void again(stopped, async () => {
    const response = await ask(origin, `GET ${path}`).catch(() => undefined)
    if (response?.status !== 200) {
      interruptions++
      return response === undefined ? undefined : refuse(refusals, response)
    }
    const page = (await response.json()) as WireEvent[]
    told.push(...page)
    const last = page.at(-1)
    if (last !== undefined) path = nextOf(response) ?? `/events?limit=100&after=${last.id}`
  })
  return {
    name: 'pages of events',
    get interruptions() {
      return interruptions
    },
    caughtUp: ({ events }) => until(() => told.length >= events.length),
    compare: ({ events }) => [...refusals, ...differences(told, events)],
  }
}

/** Pages of animals, by cursor, again and again from the first one. */
export function followLists(t: TestContext, origin: string): Follower {
  const seen = new Map<string, Animal>()
  const refusals: string[] = []
  const stopped = stopWith(t)
  let interruptions = 0
  let path = '/pets?limit=100'

  void again(stopped, async () => {
    const response = await ask(origin, `GET ${path}`).catch(() => undefined)
    if (response?.status !== 200) {
      interruptions++
      return response === undefined ? undefined : refuse(refusals, response)
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
      return [...refusals, ...never.map((animal) => `a list showed ${animal}, which never was`)]
    },
  }
}

/** An answer that no fault excuses is kept. */
async function refuse(refusals: string[], response: Response): Promise<void> {
  const text = await response.text().catch(() => '')
  if (response.status !== 503) refusals.push(`it was refused with ${response.status} ${text}`)
}

async function again(stopped: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stopped.aborted) {
    await work().catch(() => undefined)
    await wait(retryMs)
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + catchUpMs
  while (!isSo() && performance.now() < end) await wait(100)
}

function stopWith(t: TestContext): AbortSignal {
  const stop = new AbortController()
  t.after(() => stop.abort())
  return stop.signal
}
