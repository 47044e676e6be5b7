import { tabStorage } from './tab-storage.ts'
import { createStore, type Store, useStore } from './store.ts'

const prefix = 'petstore-draft-'

const stores = new Map<string, Store<object | undefined>>()

/**
 * Text that was typed and not sent, stored per form. It survives a lost connection, a new sign-in and a reload, and
 * ends with the tab. Undefined if nothing was typed.
 */
export function useDraft(name: string): object | undefined {
  return useStore(storeOf(name))
}

export function readDraft(name: string): object | undefined {
  return storeOf(name).get()
}

export function setDraft(name: string, draft: object): void {
  tabStorage.set(prefix + name, JSON.stringify(draft))
  storeOf(name).set(draft)
}

/** Drops a draft that was sent. Text typed since then stays. */
export function dropDraft(name: string, sent = readDraft(name)): void {
  if (readDraft(name) !== sent) return
  tabStorage.remove(prefix + name)
  storeOf(name).set(undefined)
}

/** For the next user of the same browser. */
export function dropDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(prefix)) dropDraft(key.slice(prefix.length))
}

function storeOf(name: string): Store<object | undefined> {
  const store = stores.get(name) ?? createStore(tabStorage.getJson(prefix + name) as object | undefined)
  stores.set(name, store)
  return store
}
