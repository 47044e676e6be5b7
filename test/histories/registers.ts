import { categoryTouches } from './categories.ts'
import { customerTouches } from './customers.ts'
import { type Anomaly, type History, isRead } from './history.ts'
import { keyTouches } from './keys.ts'
import { checkMoments } from './one-moment.ts'
import { linearize, type Model } from './linearizable.ts'
import { smallest } from './shrink.ts'
import type { Touch, Value } from './touch.ts'

const register: Model<{ value: Value }, Touch> = {
  initial: { value: null },
  isRegister: true,
  keyOf: ({ value }) => String(value),
  step(state, { wants, becomes }) {
    if (wants !== undefined && !wants(state.value)) return undefined
    return becomes === undefined ? state : { value: becomes }
  },
}

/**
 * Values that have no events: the names of categories, the customers of orders, whether keys work. Each for itself is
 * linearizable, and what an answer shows of several was there at one moment.
 */
export function checkRegisters({ calls, feed, lagMs = 0 }: Pick<History, 'calls' | 'feed' | 'lagMs'>): Anomaly[] {
  const judged = calls.filter(({ answer }) => answer?.status !== 500)
  const isLate = lagMs > 0
  const touches = [...categoryTouches(judged, isLate), ...customerTouches(judged, feed, isLate), ...keyTouches(judged)]
  const wrong = checkMoments(touches)
  for (const [of, parts] of Map.groupBy(touches, (touch) => touch.of)) {
    const spans = parts.map((part) => ({ ...part.call, operation: part }))
    if (linearize(spans, register) !== undefined) continue
    const shown = smallest(spans, register, ({ operation }) => isRead(operation.call.ask))
    wrong.push({ rule: `the answers about ${of} fit no order`, calls: shown.map(({ operation }) => operation.call) })
  }
  return wrong
}
