import { type DeliveryLimits, deliverySlots } from './delivery-slots.ts'
import type { EndpointState } from './endpoint-state.ts'

/** The endpoints that wait for their turn to be sent an event. After each event an endpoint goes to the end of the line. */
export interface Turns {
  /** Puts an endpoint at the end. Those that failed before have a line of their own. */
  add(state: EndpointState): void
  /** Starts as many tries as may run at once. */
  startNext(): void
  /** Resolves when no try runs. */
  ended(): Promise<void>
}

export interface TurnsOptions {
  /** Whether tries may start at all. */
  mayStart: () => boolean
  /** Gives an endpoint its turn. Returns whether it takes it: it may be gone. */
  take: (state: EndpointState) => boolean
  /** One try. It must not reject. */
  run: (state: EndpointState) => Promise<void>
  limits?: DeliveryLimits | undefined
}

export function deliveryTurns({ mayStart, take, run, limits }: TurnsOptions): Turns {
  const healthy: EndpointState[] = []
  const failing: EndpointState[] = []
  const slots = deliverySlots(startNext, limits)
  const running = new Set<Promise<void>>()

  function startNext(): void {
    for (const line of [healthy, failing]) {
      const isFailing = line === failing
      while (line.length > 0 && mayStart() && slots.canStart(isFailing)) {
        const state = line.shift() as EndpointState
        if (take(state)) start(state, isFailing)
      }
    }
  }

  function start(state: EndpointState, isFailing: boolean): void {
    const end = slots.start(isFailing)
    const work = run(state).finally(() => {
      end()
      running.delete(work)
      startNext()
    })
    running.add(work)
  }

  return {
    add(state) {
      ;(state.attempts > 0 ? failing : healthy).push(state)
    },
    startNext,
    async ended() {
      await Promise.all(running)
    },
  }
}
