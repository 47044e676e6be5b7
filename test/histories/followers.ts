import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { framesOf } from '../support/event-stream.ts'
import { until } from '../support/until.ts'
import type { makeClients } from './clients.ts'
import { type FeedEvent, numberOf } from './history.ts'
import { randomFrom } from './random.ts'
import type { Sender } from './send.ts'

/** Somebody who is told what happens. */
export interface Follower {
  who: string
  events: FeedEvent[]
  mayRepeat: boolean
  /** Ends it. */
  stop(): void
}

type Asking = ReturnType<typeof makeClients>

const retryMs = 200
/** Of deliveries: a failed one waits for its next try, and those of a killed process for the end of its lease. */
const defaultPatienceMs = 300_000

/** Reads a stream of events, and goes on after each interruption. */
export function followStream({ base, key }: Sender, { told, moment }: Asking): Follower {
  const events: FeedEvent[] = []
  const stopped = new AbortController()

  async function read(): Promise<void> {
    const since = moment()
    const lastId = String(events.at(-1)?.id ?? 0)
    const response = await fetch(`${base}/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'last-event-id': lastId },
      signal: stopped.signal,
    })
    if (response.status !== 200) return void (await response.text())
    for await (const frames of framesOf<FeedEvent>(response.body as ReadableStream<Uint8Array>)) {
      const more = frames.flatMap(({ event }) => event ?? [])
      if (more.length > 0) told(more, since)
      events.push(...more)
    }
  }

  void (async () => {
    while (!stopped.signal.aborted) {
      await read().catch(() => undefined)
      await wait(retryMs)
    }
  })()
  return { who: 'a stream', events, mayRepeat: false, stop: () => stopped.abort() }
}

/** Each delays all that follow by some seconds. */
const maxRefusals = 20

/** Receives the deliveries of a webhook. Some it refuses: they come again. */
export async function receiveWebhook({ base, key }: Sender, { told, moment }: Asking, seed: number): Promise<Follower> {
  const events: FeedEvent[] = []
  const random = randomFrom(seed)
  let refusals = 0
  const server = createServer((request, response) => {
    const since = moment()
    const received = request.toArray().then((chunks: Buffer[]) => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as FeedEvent
      told([event], since)
      events.push(event)
      const isRefused = refusals < maxRefusals && random.chance(0.01)
      if (isRefused) refusals++
      response.writeHead(isRefused ? 500 : 204).end()
    })
    // The service was killed while it sent this.
    received.catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const response = await fetch(`${base}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (response.status !== 201) throw new Error(`The webhook was not made: ${await response.text()}`)
  function stop(): void {
    server.closeAllConnections()
    server.close()
  }
  return { who: 'a webhook', events, mayRepeat: true, stop }
}

/** Resolves when all have got the last event. One that never gets it is for the checker to judge. */
export async function caughtUp(
  followers: readonly Follower[],
  last: number,
  patienceMs = defaultPatienceMs,
): Promise<void> {
  const isReached = () =>
    followers.every(({ events }) => last === 0 || events.some((event) => numberOf(event) === last))
  await until(isReached, patienceMs).catch(() => undefined)
  for (const { stop } of followers) stop()
}
