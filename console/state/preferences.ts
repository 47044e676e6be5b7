import { createStore, useStore } from './store.ts'

/** How a person likes lists to be shown. */
export interface Preferences {
  /** `auto`: compact on small laptops. */
  density: (typeof densities)[number]
  pageSize: (typeof pageSizes)[number]
  /** Of animals, unless the address has another one. */
  sort: (typeof sorts)[number]
  /** The ids of imports whose rejected rows need nothing more, the latest last. */
  settledImports: readonly string[]
}

export const densities = ['auto', 'comfortable', 'compact'] as const
export const pageSizes = [20, 50, 100] as const
const sorts = ['id', '-id'] as const

/** Older ones are not shown any more. */
const maxSettled = 50

const defaults: Preferences = { density: 'auto', pageSize: 20, sort: 'id', settledImports: [] }

const preferences = createStore(defaults)
let storageKey: string | undefined

/** Reads what this person has chosen, by the id of the key: other people may use the same browser. */
export function loadPreferences(keyId: string): void {
  storageKey = `petstore-preferences-${keyId}`
  const stored = readStored(storageKey)
  show({
    density: densities.find((one) => one === stored.density) ?? defaults.density,
    pageSize: pageSizes.find((one) => one === stored.pageSize) ?? defaults.pageSize,
    sort: sorts.find((one) => one === stored.sort) ?? defaults.sort,
    settledImports: Array.isArray(stored.settledImports) ? stored.settledImports.map(String).slice(-maxSettled) : [],
  })
}

export function usePreferences(): Preferences {
  return useStore(preferences)
}

export function currentPreferences(): Preferences {
  return preferences.get()
}

export function prefer(change: Partial<Preferences>): void {
  show({ ...preferences.get(), ...change })
  try {
    if (storageKey !== undefined) localStorage.setItem(storageKey, JSON.stringify(preferences.get()))
  } catch {
    // Storage may be blocked, or full: the choice then ends with the page.
  }
}

function show(next: Preferences): void {
  preferences.set(next)
  document.documentElement.dataset['density'] = next.density
}

function readStored(key: string): Partial<Record<keyof Preferences, unknown>> {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}) as Partial<Record<keyof Preferences, unknown>>
  } catch {
    return {}
  }
}
