import { createStore, useStore } from './store.ts'

/** The open dialogs, the topmost last. */
const dialogs = createStore<readonly symbol[]>([])

/** Puts a dialog on top. Returns a function to remove it. */
export function addDialog(dialog: symbol): () => void {
  dialogs.set([...dialogs.get(), dialog])
  return () => dialogs.set(dialogs.get().filter((other) => other !== dialog))
}

/** Undefined if no dialog is open. */
export function useTopDialog(): symbol | undefined {
  return useStore(dialogs).at(-1)
}
