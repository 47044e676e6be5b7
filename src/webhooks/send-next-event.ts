import { encodePosition } from '../contract/position.ts'
import type { Bookkeeping } from './bookkeeping.ts'
import type { DeliverOptions } from './delivering.ts'
import { addFailure, type EndpointState, forgetFailures, wants } from './endpoint-state.ts'
import { type EndedTry, outcomeOf } from './outcome.ts'
import type { Occurrence } from './phase.ts'
import { spareTime } from './spare-time.ts'

export interface SendNextOptions
  extends Pick<DeliverOptions, 'reader' | 'send' | 'webhooks' | 'observer' | 'clock' | 'shopClock' | 'hasOwnThread'> {
  books: Pick<Bookkeeping, 'canSend' | 'logTry'>
  /** Cuts tries. What comes of them does not count. */
  cutting: AbortSignal
  /** Whether nothing new may be sent. */
  isOver: () => boolean
  happen: (state: EndpointState, occurrence: Occurrence) => void
  /** Tries again at `until`. */
  wait: (state: EndpointState, until: number) => void
  /** Stores how far the endpoint is, soon. */
  note: (state: EndpointState) => void
}

const failedReadPauseMs = 1_000

/** Sends an endpoint that has its turn the next event that it wants, and draws the consequences. Never rejects. */
export function eventSender(options: SendNextOptions): (state: EndpointState) => Promise<void> {
  const { reader, send, webhooks, observer, clock, shopClock, books, cutting, isOver, happen, wait, note } = options
  const spare = spareTime(options.hasOwnThread)

  async function sendNextEvent(state: EndpointState): Promise<void> {
    await spare.turn()
    const { position, event } = await reader.findNext(state.position, wants(state))
    if (isOver() || state.phase !== 'sending') return
    // It was enabled again meanwhile, and starts later.
    if (position < state.position) return happen(state, 'behind')
    // The event that failed has expired, or its type is not wanted any more.
    if (position > state.position) forgetFailures(state)
    state.position = position
    if (event === undefined) return goOn(state)
    state.behindSince = event.at
    if (!books.canSend()) return happen(state, 'behind')
    const { endpoint } = state
    const times = { at: clock(), shopAt: shopClock() }
    // Asked again when the connection is open: that may take longer than the lease, for a process that sleeps.
    let isInTime = true
    const mayWrite = () => (isInTime = books.canSend())
    const message = { id: encodePosition(event), body: event.body() }
    const result = await spare.use(() => send(message, endpoint, { signal: cutting, mayWrite }))
    if (cutting.aborted) return
    if (!isInTime) return happen(state, 'behind')
    await settle(state, { endpoint, event, message, ...times, result })
  }

  function goOn(state: EndpointState): void {
    state.behindSince = undefined
    happen(state, state.position < reader.head ? 'behind' : 'upToDate')
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
      return goOn(state)
    }
    // It got another address meanwhile: this failure is not that of the new one.
    if (state.endpoint.activeSince !== endpoint.activeSince) return happen(state, 'behind')
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
    happen(state, 'removed')
    observer.disabled(endpoint, reason)
  }

  return async (state) => {
    try {
      await sendNextEvent(state)
    } catch (error) {
      observer.failed(error as Error)
      wait(state, clock() + failedReadPauseMs)
    }
  }
}
