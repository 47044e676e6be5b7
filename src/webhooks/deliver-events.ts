import { loopSteps } from '../inventory/loop-steps.ts'
import type { Endpoint } from '../inventory/webhooks.ts'
import { type Bookkeeping, startBookkeeping } from './bookkeeping.ts'
import type { DeliverOptions, Delivering } from './delivering.ts'
import { addFailure, type EndpointState, forgetFailures, newState, toPosition, wants } from './endpoint-state.ts'
import type { QueuedEvent } from './event-reader.ts'
import { type EndedTry, outcomeOf } from './outcome.ts'
import { retryTimer } from './retry-timer.ts'
import { isDue } from './schedule.ts'
import { webhookId } from './sign.ts'
import { spareTime } from './spare-time.ts'
import { deliveryTurns } from './turns.ts'

const failedReadPauseMs = 1_000

export function deliverEvents(options: DeliverOptions): Delivering {
  const { deliveries, webhooks, reader, send, clock, shopClock, observer, lease, leaseMs } = options
  const states = new Map<bigint, EndpointState>()
  const cutting = new AbortController()
  const spare = spareTime(options.hasOwnThread)
  let isOver = false
  const turns = deliveryTurns(sendOrWait, () => !isOver && books.canSend(), options.limits)
  const timer = retryTimer(states, clock, retryDue)
  const books: Bookkeeping = startBookkeeping({
    deliveries,
    lease,
    leaseMs,
    lineage: () => reader.lineage,
    lost: beginAnew,
    mayGoOn: turns.startNext,
    report: observer.failed,
  })

  function beginAnew(): void {
    if (isOver) return
    isOver = true
    cutting.abort()
    timer.stop()
    books.abandon()
    options.lost()
  }

  async function sendOrWait(state: EndpointState): Promise<void> {
    try {
      await sendNextEvent(state)
    } catch (error) {
      observer.failed(error as Error)
      wait(state, clock() + failedReadPauseMs)
    }
  }

  async function sendNextEvent(state: EndpointState): Promise<void> {
    await spare.turn()
    const { position, event } = await reader.findNext(state.position, wants(state))
    if (isOver || state.phase !== 'sending') return
    // It was enabled again meanwhile, and starts later.
    if (position < state.position) return turns.add(state)
    // The event that failed has expired, or its type is not wanted any more.
    if (position > state.position) forgetFailures(state)
    state.position = position
    if (event === undefined) return becomeIdle(state)
    state.behindSince = event.at
    if (!books.canSend()) return turns.add(state)
    const { endpoint } = state
    const times = { at: clock(), shopAt: shopClock() }
    // Asked again when the connection is open: that may take longer than the lease, for a process that sleeps.
    let isInTime = true
    const mayWrite = () => (isInTime = books.canSend())
    const message = { id: webhookId(event.id, event.at), body: event.body() }
    const result = await spare.use(() => send(message, endpoint, { signal: cutting.signal, mayWrite }))
    if (cutting.signal.aborted) return
    if (!isInTime) return turns.add(state)
    await settle(state, { endpoint, event, message, ...times, result })
  }

  function becomeIdle(state: EndpointState): void {
    state.behindSince = undefined
    if (state.position < reader.head) turns.add(state)
    else state.phase = 'idle'
  }

  async function settle(state: EndpointState, ended: EndedTry): Promise<void> {
    const { endpoint, message, event, shopAt } = ended
    const { entry, failure } = outcomeOf(ended, state, clock())
    books.logTry(entry)
    observer.tried(entry, endpoint, message)
    if (state.phase !== 'sending') return // Removed or disabled meanwhile.
    if (failure === undefined) {
      if (event.id > state.position) state.position = event.id
      forgetFailures(state)
      note(state)
      return becomeIdle(state)
    }
    // It got another address meanwhile: this failure is not that of the new one.
    if (state.endpoint.activeSince !== endpoint.activeSince) return turns.add(state)
    addFailure(state, failure.since, shopAt)
    wait(state, failure.retryAt)
    note(state)
    if (failure.reason !== undefined) await disable(state, failure.reason)
  }

  async function disable(state: EndpointState, reason: 'gone' | 'failed'): Promise<void> {
    const { endpoint } = state
    try {
      if (!(await webhooks.disable(endpoint.id, reason, endpoint.activeSince))) return
    } catch (error) {
      return observer.failed(error as Error) // After the next try.
    }
    remove(state)
    observer.disabled(endpoint, reason)
  }

  function remove(state: EndpointState): void {
    state.phase = 'gone'
    states.delete(state.endpoint.id)
  }

  function note(state: EndpointState): void {
    state.notedPosition = state.position
    books.move(toPosition(state))
  }

  function noteAll(): void {
    for (const state of states.values()) if (state.position !== state.notedPosition) note(state)
  }

  function wait(state: EndpointState, until: number): void {
    if (state.phase === 'gone') return
    state.phase = 'waiting'
    state.nextAttemptAt = until
    timer.set()
  }

  function retryDue(): void {
    const now = clock()
    for (const state of states.values()) {
      if (state.phase === 'waiting' && isDue(state.nextAttemptAt ?? 0, now)) turns.add(state)
    }
    turns.startNext()
    timer.set()
  }

  /** Gives new events to the endpoints that have everything before them. The others find them in their turn. */
  async function passOn(events: readonly QueuedEvent[], head: bigint): Promise<void> {
    const steps = loopSteps()
    for (const state of states.values()) {
      if (state.phase === 'idle' && state.position < head) {
        const isWanted = wants(state)
        const event = events.find((each) => each.id > state.position && isWanted(each))
        state.position = event === undefined ? head : event.id - 1n
        state.behindSince = event?.at
        if (event !== undefined) turns.add(state)
      }
      if (steps.isOver()) await steps.next()
    }
    turns.startNext()
  }

  /** An endpoint that is new here goes on where it was, which another process may have stored. */
  async function addAll(endpoints: readonly Endpoint[]): Promise<void> {
    const stored = new Map((await deliveries.positions()).map((position) => [position.webhookId, position]))
    for (const endpoint of endpoints) {
      const state = newState(endpoint, stored.get(endpoint.id), reader.head)
      states.set(endpoint.id, state)
      if (state.attempts > 0) wait(state, state.nextAttemptAt ?? 0)
      else becomeIdle(state)
    }
  }

  function change(state: EndpointState, endpoint: Endpoint): void {
    const isAnew = state.endpoint.activeSince !== endpoint.activeSince
    state.endpoint = endpoint
    if (endpoint.startsAfter > state.position) state.position = endpoint.startsAfter
    if (!isAnew) return
    forgetFailures(state)
    note(state)
    if (state.phase === 'waiting') turns.add(state)
  }

  async function use(endpoints: readonly Endpoint[]): Promise<void> {
    const ids = new Set(endpoints.map(({ id }) => id))
    for (const state of states.values()) if (!ids.has(state.endpoint.id)) remove(state)
    const added = endpoints.filter(({ id }) => !states.has(id))
    for (const endpoint of endpoints) {
      const state = states.get(endpoint.id)
      if (state !== undefined) change(state, endpoint)
    }
    if (added.length > 0) await addAll(added)
    turns.startNext()
  }

  return {
    use,
    async poll() {
      for (;;) {
        const page = await reader.readNew()
        if (page === undefined) return beginAnew()
        if (page.head === reader.head || isOver) return
        // Read after the events: an event that happened after a change of a webhook finds it changed.
        await use(await webhooks.enabled())
        reader.moveTo(page)
        await passOn(page.events, page.head)
      }
    },
    retryDue,
    noteAll,
    states: () => states.values(),
    unstoredSince: () => books.failingSince,
    async stop(graceMs) {
      if (isOver) return
      isOver = true
      timer.stop()
      const grace = setTimeout(() => cutting.abort(), graceMs)
      await turns.ended()
      clearTimeout(grace)
      noteAll()
      await books.end()
    },
  }
}
