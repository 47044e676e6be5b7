import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { create } from './client.ts'
import { type Gaps, writeGaps } from './gaps.ts'
import { type Animal, type Creation, emptyLedger, type Ledger } from './ledger.ts'

export interface Load {
  readonly ledger: Ledger
  readonly gaps: Gaps
  /** How often each answer came that is no 201: a status, or what broke the connection. */
  readonly setbacks: ReadonlyMap<string, number>
  /** Answers that no fault excuses. */
  readonly mistakes: readonly string[]
  /** Resolves when clients that ask from now on are answered. */
  flows(): Promise<void>
  /** Begins nothing new and resolves when what was begun is answered. */
  stop(): Promise<void>
}

const clients = 12
/** Between two creations of a client, in milliseconds. */
const pause = 40
const enough = 50

/** Clients that create animals, each again with the same Idempotency-Key until the answer is 201. One in ten gives up. */
export function startLoad(t: TestContext, origin: string): Load {
  const ledger = emptyLedger()
  const gaps = writeGaps()
  const setbacks = new Map<string, number>()
  const mistakes: string[] = []
  const stopped = new AbortController()
  const ended = new AbortController()

  function setback(name: string): undefined {
    setbacks.set(name, (setbacks.get(name) ?? 0) + 1)
  }

  async function attempt(creation: Creation): Promise<Animal | undefined> {
    try {
      const answer = await create(origin, creation)
      const text = await answer.text()
      if (answer.status === 201) return JSON.parse(text) as Animal
      if (answer.status !== 503 && answer.status !== 409) mistakes.push(`${creation.key}: ${answer.status} ${text}`)
      setback(String(answer.status))
    } catch (error) {
      const { cause, name } = error as Error & { cause?: { code?: string } }
      setback(cause?.code ?? name)
    }
  }

  /** Undefined when the client gave up. */
  async function insist(creation: Creation): Promise<Animal | undefined> {
    const givesUp = Math.random() < 0.1
    for (;;) {
      const answer = await attempt(creation)
      if (answer !== undefined || givesUp || ended.signal.aborted) return answer
      await wait(100 + Math.random() * 200)
    }
  }

  async function client(): Promise<void> {
    while (!stopped.signal.aborted) {
      const creation = ledger.next()
      const answer = await insist(creation)
      if (answer === undefined) {
        ledger.abandon(creation)
        // Or it would begin one after the other while nobody can answer.
        await wait(1_000)
      } else {
        gaps.acknowledged()
        ledger.acknowledge(creation, answer)
      }
      await wait(pause)
    }
  }

  t.after(() => {
    stopped.abort()
    ended.abort()
  })
  const working = Array.from({ length: clients }, client)
  return {
    ledger,
    gaps,
    setbacks,
    mistakes,
    async flows() {
      const goal = ledger.acknowledged.size + enough
      const end = performance.now() + 120_000
      while (ledger.acknowledged.size < goal) {
        if (performance.now() > end) throw new Error('Nothing has been acknowledged for two minutes.')
        await wait(100)
      }
    },
    async stop() {
      stopped.abort()
      await Promise.all(working)
    },
  }
}
