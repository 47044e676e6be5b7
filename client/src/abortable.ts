/**
 * A generator whose `return` and `throw` abort a pending `next`, which then resolves as done. A plain generator would
 * wait for the next item first, and an event stream may stay silent for ever.
 */
export function abortable<Item>(
  caller: AbortSignal | null | undefined,
  generate: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  const leaving = new AbortController()
  const items = generate(caller ? AbortSignal.any([caller, leaving.signal]) : leaving.signal)
  const plain = { next: items.next.bind(items), return: items.return.bind(items), throw: items.throw.bind(items) }

  items.next = async () => {
    try {
      return await plain.next()
    } catch (error) {
      if (!leaving.signal.aborted) throw error
      return { done: true, value: undefined }
    }
  }
  items.return = (value) => {
    leaving.abort()
    return plain.return(value)
  }
  items.throw = (error) => {
    leaving.abort()
    return plain.throw(error)
  }
  return items
}
