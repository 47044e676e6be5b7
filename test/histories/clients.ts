import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { learn, nextAsk, nothingKnown } from './asks.ts'
import { type Ask, type Call, type FeedEvent, isRead } from './history.ts'
import { type Random, randomFrom } from './random.ts'
import { send, type Sender } from './send.ts'
import { callTool, toolFor } from './tools.ts'

export type Moment = Pick<Call, 'invoked' | 'invokedMs'>

export interface ClientsOptions {
  /** Clients take turns to use them. */
  senders: readonly Sender[]
  seed: number
  count: number
  /** In milliseconds, between two requests of a client. */
  pauseMs?: number
}

/** How many of the requests for which there is a tool are calls of it. */
const toolShare = 0.1

/** Concurrent clients that ask for anything, by seed, and write down what they were told. */
export function makeClients({ senders, seed, count, pauseMs = 2 }: ClientsOptions) {
  const calls: Call[] = []
  const known = nothingKnown()
  let clock = 1
  let answers = 0
  const stopped = new AbortController()

  async function run(client: number): Promise<void> {
    const random = randomFrom(seed * 1_000 + client)
    for (let number = 0; !stopped.signal.aborted; number++) {
      const id = `${seed}-${client}-${number}`
      const ask = nextAsk(random, known, id)
      // A key is sent from several connections at the same moment, and later again.
      const times = 'idempotencyKey' in ask && ask.idempotencyKey !== undefined ? 1 + random.number(3) : 1
      await Promise.all(Array.from({ length: times }, (_, time) => perform(client, `${id}-${time}`, ask, random)))
      await wait(random.number(2 * pauseMs))
    }
  }

  async function perform(client: number, id: string, ask: Ask, random: Random): Promise<void> {
    const call: Call = {
      id,
      client,
      ask,
      invoked: clock++,
      returned: Infinity,
      invokedMs: performance.now(),
      returnedMs: Infinity,
      isMaybe: true,
    }
    calls.push(call)
    const tool = random.chance(toolShare) ? toolFor(ask) : undefined
    const sender = random.of(senders)
    const { answer, isMaybe } = await (tool === undefined ? send(sender, id, ask) : callTool(sender, id, tool))
    call.isMaybe = isMaybe && !isRead(ask)
    if (answer !== undefined) {
      call.answer = answer
      answers++
      learn(known, call)
    } else await wait(50 + random.number(100))
    // A write that may still be carried out has no end.
    if (!call.isMaybe) Object.assign(call, { returned: clock++, returnedMs: performance.now() })
  }

  /** Somebody got events, from a connection or a service that was there at that moment. */
  function told(events: readonly FeedEvent[], since: Moment): void {
    calls.push({
      id: `told-${clock}`,
      client: -1,
      ask: { kind: 'told' },
      ...since,
      returned: clock++,
      returnedMs: performance.now(),
      answer: { status: 200, body: events },
      isMaybe: false,
    })
  }

  let running: Promise<void>[] = []
  return {
    start(): void {
      running = Array.from({ length: count }, (_, client) => run(client))
    },

    told,
    moment: (): Moment => ({ invoked: clock++, invokedMs: performance.now() }),

    /** Resolves when some more requests were answered. A machine may be busy. */
    async answered(more: number): Promise<void> {
      const goal = answers + more
      await until(() => answers >= goal, 300_000)
    },

    /** Begins nothing new, and resolves when all have their answers. */
    async stop(): Promise<Call[]> {
      stopped.abort()
      await Promise.all(running)
      return calls
    },
  }
}
