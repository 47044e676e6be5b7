import { isPetStoreError, type PetStore, positionOf, type ShopEvent } from '../../client/src/index.ts'
import { type FeedState, isFeedLive } from './feed.ts'

/** The service sends a heartbeat every 10 seconds. */
const maxSilenceMs = 25_000
const maxPauseMs = 30_000

export type StreamMessage =
  | { kind: 'state'; state: FeedState }
  | { kind: 'event'; event: ShopEvent; position: string }
  | { kind: 'missed' }

/** The event stream, reconnected whenever the connection ends. */
export class EventConnection {
  readonly #client: PetStore
  readonly #publish: (message: StreamMessage) => void
  /** The position of the last event. Undefined if none is known: the stream then starts now. */
  #position: string | undefined

  constructor(client: PetStore, publish: (message: StreamMessage) => void, position?: string) {
    this.#client = client
    this.#publish = publish
    this.#position = position
  }

  /** Resolves when `stop` is aborted. May be called again afterwards. */
  async run(stop: AbortSignal): Promise<void> {
    this.#publish({ kind: 'state', state: 'connecting' })
    for (let failures = 0; !stop.aborted; failures++) {
      const round = new AbortController()
      const restart = (): void => {
        if (!isFeedLive()) round.abort()
      }
      addEventListener('online', restart)
      try {
        await this.#follow(AbortSignal.any([stop, round.signal]), () => (failures = 0))
      } catch (error) {
        // Expired events, or a lost history.
        if (isPetStoreError(error, 'gone')) this.#position = undefined
        else if (!round.signal.aborted && !stop.aborted) {
          this.#publish({ kind: 'state', state: 'waiting' })
          await pauseUnlessOnline(Math.min(maxPauseMs, 1000 * 2 ** failures) * (0.75 + Math.random() / 2), stop)
        }
      } finally {
        removeEventListener('online', restart)
      }
    }
  }

  async #follow(signal: AbortSignal, onConnected: () => void): Promise<void> {
    let hasMissed = this.#position === undefined
    const onConnection = (isConnected: boolean): void => {
      if (signal.aborted) return
      this.#publish({ kind: 'state', state: isConnected ? 'live' : 'waiting' })
      if (!isConnected) return
      onConnected()
      if (hasMissed) this.#publish({ kind: 'missed' })
      hasMissed = false
    }
    const options = { after: this.#position, maxSilenceMs, signal, onConnection }
    for await (const event of this.#client.events.follow(options)) {
      this.#position = positionOf(event)
      this.#publish({ kind: 'event', event, position: this.#position })
    }
  }
}

/** Ends early when the machine is online again. */
function pauseUnlessOnline(pauseMs: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, pauseMs)
    addEventListener('online', done)
    stop.addEventListener('abort', done)
    function done(): void {
      clearTimeout(timer)
      removeEventListener('online', done)
      stop.removeEventListener('abort', done)
      resolve()
    }
  })
}
