import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Animal, ask, type Asked, type Order } from './client.ts'
import { type Gaps, writeGaps } from './gaps.ts'
import { emptyLedger, type Ledger, type Life } from './ledger.ts'

export interface Load {
  readonly ledger: Ledger
  readonly gaps: Gaps
  /** How many writes of each kind were acknowledged. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** How often each answer came that made a client try again: a status, or what broke the connection. */
  readonly setbacks: ReadonlyMap<string, number>
  /** Answers that no fault excuses. */
  readonly mistakes: readonly string[]
  /** Resolves when clients that ask from now on are answered. */
  flows(): Promise<void>
  /** Begins nothing new and resolves when what was begun is answered. */
  stop(): Promise<void>
  /** Ends at once and repeats nothing. */
  abandon(): void
}

const clients = 12
/** Between two writes of a client. */
const pauseMs = 40
/** This many writes are a flow. */
const enough = 50

/** An answer that no fault excuses. The client goes on with another animal. */
class Mistake extends Error {}

interface Write extends Asked {
  /** For the figures. */
  kind: string
  start: string
  expected: number
  /** What an answer other than the expected one means after an attempt whose outcome nobody knows: true for done. */
  isDoneBy?: (status: number) => Promise<boolean>
}

/**
 * Clients that create animals, rename, order, sell and remove them. Each has its animals for itself and repeats a
 * write until it is acknowledged; a creation without an Idempotency-Key is given up when the answer does not
 * come.
 */
export function startLoad(t: TestContext, origin: string): Load {
  const ledger = emptyLedger()
  const gaps = writeGaps()
  const acknowledged = new Map<string, number>()
  const setbacks = new Map<string, number>()
  const mistakes: string[] = []
  const stopped = new AbortController()
  const ended = new AbortController()

  /** The answer to a write that was done: its body, or undefined where there is none. Undefined also when given up. */
  async function sendUntilDone(write: Write, givesUp = false): Promise<{ body: unknown } | undefined> {
    for (let isFirst = true; !ended.signal.aborted; isFirst = false) {
      const answer = await attempt(write, isFirst)
      if (answer !== undefined) {
        gaps.acknowledged()
        increment(acknowledged, write.kind)
        return answer
      }
      if (givesUp) return undefined
      await wait(100 + Math.random() * 200)
    }
  }

  async function attempt(write: Write, isFirst: boolean): Promise<{ body: unknown } | undefined> {
    const { kind, start, expected, isDoneBy } = write
    try {
      const response = await ask(origin, start, write)
      const body = await response.text()
      if (response.status === expected) return { body: body === '' ? undefined : JSON.parse(body) }
      // Another attempt of ours may still be under way.
      const isExcused = response.status === 503 || (response.status === 409 && !isFirst)
      if (!isFirst && isDoneBy !== undefined && (await isDoneBy(response.status))) return { body: undefined }
      if (!isExcused) throw new Mistake(`${kind}, ${start}: ${response.status} ${body}`)
      increment(setbacks, `${response.status} ${body}`)
    } catch (error) {
      if (error instanceof Mistake) throw error
      const { cause, name } = error as Error & { cause?: { code?: string } }
      increment(setbacks, cause?.code ?? name)
    }
  }

  async function create(life: Life): Promise<void> {
    const headers = life.isPlain ? {} : key(life.key)
    const write = { kind: 'creates', start: 'POST /pets', expected: 201, body: life.wanted, headers }
    const answer = await sendUntilDone(write, life.isPlain)
    life.isAbandoned = answer === undefined
    if (answer === undefined) return
    life.animal = answer.body as Animal
    life.acknowledged.push({ type: 'petstore.pet.created', data: life.animal })
  }

  async function rename(life: Life, animal: Animal): Promise<void> {
    const name = `${animal.name}, renamed`
    await sendUntilDone({ kind: 'updates', start: `PATCH /pets/${animal.id}`, expected: 200, body: { name } })
    change(life, { ...animal, name })
  }

  async function order(life: Life, animal: Animal): Promise<void> {
    const body = { petId: animal.id }
    const answer = await sendUntilDone({
      kind: 'orders',
      start: 'POST /store/orders',
      expected: 201,
      body,
      headers: key(`order, ${life.key}`),
    })
    if (answer === undefined) return
    life.order = answer.body as Order
    change(life, { ...animal, status: 'pending' })
    life.acknowledged.push({ type: 'petstore.order.placed', data: life.order })
  }

  async function close(life: Life, animal: Animal, placed: Order): Promise<void> {
    const status = Math.random() < 0.5 ? 'completed' : 'cancelled'
    const start = `PATCH /store/orders/${placed.id}`
    const isDoneBy = async (answered: number) => {
      if (answered !== 409) return false
      const found = (await (await ask(origin, `GET /store/orders/${placed.id}`)).json()) as Order
      return found.status === status
    }
    await sendUntilDone({ kind: 'closed orders', start, expected: 200, body: { status }, isDoneBy })
    life.order = { ...placed, status }
    change(life, { ...animal, status: status === 'completed' ? 'sold' : 'available' })
    life.acknowledged.push({ type: `petstore.order.${status}`, data: life.order })
  }

  async function remove(life: Life, animal: Animal): Promise<void> {
    const isDoneBy = async (answered: number) => answered === 404
    await sendUntilDone({ kind: 'deletes', start: `DELETE /pets/${animal.id}`, expected: 204, isDoneBy })
    life.animal = undefined
    life.acknowledged.push({ type: 'petstore.pet.deleted', data: animal })
  }

  async function live(life: Life): Promise<void> {
    await create(life)
    for (const step of [
      () => life.animal && Math.random() < 0.5 && rename(life, life.animal),
      () => life.animal && Math.random() < 0.5 && order(life, life.animal),
      () => life.animal && life.order && close(life, life.animal, life.order),
      () => life.animal && Math.random() < 0.3 && remove(life, life.animal),
    ]) {
      await wait(pauseMs)
      if (ended.signal.aborted) return
      await step()
    }
  }

  async function client(): Promise<void> {
    while (!stopped.signal.aborted) {
      const life = ledger.begin()
      await live(life).catch((error: Error) => mistakes.push(error.message))
      // Or it would begin one after the other while nobody can answer.
      if (life.isAbandoned) await wait(1_000)
    }
  }

  function abandon(): void {
    stopped.abort()
    ended.abort()
  }

  t.after(abandon)
  const working = Array.from({ length: clients }, client)
  const count = () => [...acknowledged.values()].reduce((sum, each) => sum + each, 0)
  return {
    ledger,
    gaps,
    acknowledged,
    setbacks,
    mistakes,
    async flows() {
      const goal = count() + enough
      const end = performance.now() + 120_000
      while (count() < goal) {
        if (performance.now() > end) throw new Error('Nothing has been acknowledged for two minutes.')
        await wait(100)
      }
    },
    async stop() {
      stopped.abort()
      await Promise.all(working)
    },
    abandon,
  }
}

function change(life: Life, animal: Animal): void {
  life.animal = animal
  life.acknowledged.push({ type: 'petstore.pet.updated', data: animal })
}

function key(name: string): Record<string, string> {
  return { 'idempotency-key': name }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
