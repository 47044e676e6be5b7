/** How many tries run at once. Memory and connections are bounded, and endpoints that hang do not hold back others. */
export interface DeliverySlots {
  canStart(isFailing: boolean): boolean
  /** Returns what ends the try. */
  start(isFailing: boolean): () => void
}

export interface DeliveryLimits {
  /** Tries of the last second, of endpoints that did not fail before. */
  young: number
  /** Tries of endpoints that failed before: they never take the place of others. */
  failing: number
  /** All tries. Most of them wait for a response that may never come. */
  total: number
}

export const defaultDeliveryLimits: DeliveryLimits = { young: 64, failing: 128, total: 384 }
/** An endpoint that takes longer does not hold back others any more. */
const youngMs = 1_000

/** `freed` is called when a try may start that could not before. */
export function deliverySlots(freed: () => void, limits = defaultDeliveryLimits): DeliverySlots {
  let young = 0
  let failing = 0
  let total = 0
  return {
    canStart: (isFailing) => total < limits.total && (isFailing ? failing < limits.failing : young < limits.young),
    start(isFailing) {
      total++
      if (isFailing) failing++
      else young++
      let isYoung = !isFailing
      const age = () => {
        if (isYoung) young--
        isYoung = false
      }
      const timer = setTimeout(() => {
        age()
        freed()
      }, youngMs).unref()
      return () => {
        clearTimeout(timer)
        age()
        if (isFailing) failing--
        total--
      }
    },
  }
}
