import { isPetStoreError, type PetStore, type ShopEvent } from '../../client/src/index.ts'
import { pause } from '../../client/src/deadline.ts'
import { batchEvents, type EventBatches } from './event-batches.ts'
import { type FeedState, isFeedLive } from './feed.ts'

/** The service sends a heartbeat every 10 seconds. */
const maxSilenceMs = 25_000
/** The client reconnects for as long as the page is open. */
const retry = { maxAttempts: Infinity, totalTimeoutMs: Infinity, maxDelayMs: 30_000 }
/** Before another attempt after a refusal, or the response of another server. */
const refusedDelayMs = 10_000

export type StreamMessage =
  | { kind: 'state'; state: FeedState }
  /** In their order; `position` is that of the last one. */
  | { kind: 'events'; events: readonly ShopEvent[]; position: string }
  | { kind: 'missed' }

/** The event stream. The client reconnects it; it begins anew when the position is lost, or the machine is online again. */
export class EventConnection {
  readonly #client: PetStore
  readonly #publish: (message: StreamMessage) => void
  readonly #batches: EventBatches
  /** The position of the last event. Undefined if none is known: the stream then starts now. */
  #position: string | undefined

  constructor(client: PetStore, publish: (message: StreamMessage) => void, position?: string) {
    this.#client = client
    this.#batches = batchEvents((events) => {
      const position = events.at(-1)?.id
      if (position !== undefined) publish({ kind: 'events', events, position })
    })
    // What happened before it comes first.
    this.#publish = (message) => {
      this.#batches.flush()
      publish(message)
    }
    this.#position = position
  }

  /** Resolves when `stop` is aborted. May be called again afterwards. */
  async run(stop: AbortSignal): Promise<void> {
    this.#publish({ kind: 'state', state: 'connecting' })
    while (!stop.aborted) {
      const online = new AbortController()
      const signal = AbortSignal.any([stop, online.signal])
      // Tries again at once when the machine is online again.
      const restart = (): void => {
        if (!isFeedLive()) online.abort()
      }
      addEventListener('online', restart)
      try {
        await this.#follow(signal)
      } catch (error) {
        const isLost = isPetStoreError(error, 'gone') && this.#position !== undefined
        // Expired events, or a lost history.
        if (isLost) this.#position = undefined
        else if (!signal.aborted) {
          this.#publish({ kind: 'state', state: 'waiting' })
          await pause(refusedDelayMs, signal).catch(() => undefined)
        }
      } finally {
        removeEventListener('online', restart)
        this.#batches.flush()
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const onConnection = (isConnected: boolean): void => {
      if (signal.aborted) return
      this.#publish({ kind: 'state', state: isConnected ? 'live' : 'waiting' })
      // Without a position nothing tells whether this is still the same history.
      if (isConnected && this.#position === undefined) this.#publish({ kind: 'missed' })
    }
    const onRetry = (): void => {
      if (!signal.aborted) this.#publish({ kind: 'state', state: 'waiting' })
    }
    const options = { after: this.#position, maxSilenceMs, retry, signal, onConnection, onRetry }
    for await (const event of this.#client.events.follow(options)) {
      this.#position = event.id
      this.#batches.add(event)
    }
  }
}
