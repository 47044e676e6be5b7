import { createDeadline, type Deadline } from './deadline.ts'

/**
 * A generator whose `return` and `throw` abort a pending `next`, which then resolves as done. A plain generator would
 * wait for the next item first, and an event stream may stay silent for ever.
 */
export function abortable<Item>(
  caller: AbortSignal | null | undefined,
  generate: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  let deadline: Deadline | undefined
  let hasLeft = false
  const items = forward()
  const { next } = items

  async function* forward(): AsyncGenerator<Item, void, undefined> {
    deadline = createDeadline(caller)
    try {
      yield* generate(deadline.signal)
    } finally {
      deadline.clear()
    }
  }

  items.next = () =>
    next.call(items).catch((error: unknown) => {
      if (!hasLeft) throw error
      return { done: true, value: undefined }
    })
  for (const name of ['return', 'throw'] as const) {
    const leave = items[name]
    items[name] = (value) => {
      hasLeft = true
      deadline?.clear()
      return leave.call(items, value)
    }
  }
  return items
}
