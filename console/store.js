import { useEffect, useState } from './preact.js'

/** A value that views can follow. */
export function createStore(value) {
  const followers = new Set()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const follow of followers) follow(next)
    },
    update(change) {
      this.set({ ...value, ...change })
    },
    follow(follower) {
      followers.add(follower)
      return () => followers.delete(follower)
    },
  }
}

/** The value of a store; the component is drawn again when it changes. */
export function useStore(store) {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    // What changed between drawing and following must not be missed.
    setValue(store.get())
    return store.follow(setValue)
  }, [store])
  return value
}
