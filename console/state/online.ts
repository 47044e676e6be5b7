import { createStore, useStore } from './store.ts'

const online = createStore(navigator.onLine)

addEventListener('online', () => online.set(true))
addEventListener('offline', () => online.set(false))

/** Whether the machine has a network. */
export function useOnline(): boolean {
  return useStore(online)
}
