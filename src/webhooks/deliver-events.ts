import { loopSteps } from '../inventory/loop-steps.ts'
import type { Endpoint } from '../inventory/webhooks.ts'
import { type Bookkeeping, startBookkeeping } from './bookkeeping.ts'
import type { DeliverOptions, Delivering } from './delivering.ts'
import { type EndpointState, forgetFailures, newState, toPosition, wants, wantsSame } from './endpoint-state.ts'
import type { QueuedEvent } from './event-reader.ts'
import { next, type Occurrence, type Phase } from './phase.ts'
import { retryTimer } from './retry-timer.ts'
import { isDue } from './schedule.ts'
import { eventSender } from './send-next-event.ts'
import { deliveryTurns } from './turns.ts'

export function deliverEvents(options: DeliverOptions): Delivering {
  const { deliveries, webhooks, reader, clock, observer, lease, leaseMs } = options
  const states = new Map<bigint, EndpointState>()
  const cutting = new AbortController()
  let isOver = false
  const turns = deliveryTurns({
    mayStart: () => !isOver && books.canSend(),
    take: (state) => happen(state, 'turn') === 'sending',
    run: (state) => sendNextEvent(state),
    limits: options.limits,
  })
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

  const sendNextEvent = eventSender({
    ...options,
    books,
    cutting: cutting.signal,
    isOver: () => isOver,
    happen,
    wait,
    note,
  })

  function beginAnew(): void {
    if (isOver) return
    isOver = true
    cutting.abort()
    timer.stop()
    books.abandon()
    options.lost()
  }

  /** Changes the phase, and does what the new one needs. */
  function happen(state: EndpointState, occurrence: Occurrence): Phase {
    const phase = next(state.phase, occurrence)
    if (phase !== state.phase) {
      state.phase = phase
      if (phase === 'ready') turns.add(state)
      if (phase === 'waiting') timer.set()
      if (phase === 'gone') states.delete(state.endpoint.id)
    }
    return phase
  }

  function note(state: EndpointState): void {
    state.notedPosition = state.position
    books.move(toPosition(state))
  }

  function noteAll(): void {
    for (const state of states.values()) if (state.position !== state.notedPosition) note(state)
  }

  function wait(state: EndpointState, until: number): void {
    state.nextAttemptAt = until
    happen(state, 'failed')
  }

  function retryDue(): void {
    const now = clock()
    for (const state of states.values()) {
      if (state.phase === 'waiting' && isDue(state.nextAttemptAt ?? 0, now)) happen(state, 'due')
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
        if (event !== undefined) happen(state, 'behind')
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
      else if (state.position < reader.head) happen(state, 'behind')
    }
  }

  function change(state: EndpointState, endpoint: Endpoint): void {
    const isAnew = state.endpoint.activeSince !== endpoint.activeSince
    // Once it is stored, a process after this one does not send what the types of before have passed over.
    if (!wantsSame(state.endpoint, endpoint)) note(state)
    state.endpoint = endpoint
    if (endpoint.startsAfter > state.position) state.position = endpoint.startsAfter
    if (!isAnew) return
    forgetFailures(state)
    note(state)
    happen(state, 'renewed')
  }

  async function use(endpoints: readonly Endpoint[]): Promise<void> {
    const ids = new Set(endpoints.map(({ id }) => id))
    for (const state of states.values()) if (!ids.has(state.endpoint.id)) happen(state, 'removed')
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
