import { useEffect, useState } from 'preact/hooks'

/** A value that components can follow. */
export interface Store<Value> {
  get(): Value
  set(next: Value): void
  /** Calls back with each new value. Returns a function to stop. */
  follow(follower: (value: Value) => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  const followers = new Set<(value: Value) => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      value = next
      for (const follower of followers) follower(next)
    },
    follow(follower) {
      followers.add(follower)
      return () => followers.delete(follower)
    },
  }
}

const resets: (() => void)[] = []

/** A store for one session: it is reset at the next sign-in. */
export function createSessionStore<Value>(initial: Value): Store<Value> {
  const store = createStore(initial)
  resets.push(() => store.set(initial))
  return store
}

export function resetSessionStores(): void {
  for (const reset of resets) reset()
}

/** The value of a store; the component is rendered again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(() => store.get())
  useEffect(() => {
    // A change between rendering and following must not be missed. Wrapped in a function, because the value may be one.
    const show = (next: Value): void => setValue(() => next)
    show(store.get())
    return store.follow(show)
  }, [store])
  return value
}
