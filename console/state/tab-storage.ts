/** For a browser without storage: a reload then loses the data. */
const memory = new Map<string, string>()

/** Data that lives as long as the tab, also after a reload: session storage only. */
export const tabStorage = {
  get(key: string): string | undefined {
    return attempt(() => sessionStorage.getItem(key) ?? undefined) ?? memory.get(key)
  },

  /** Stored JSON, undefined if it is missing or invalid. */
  getJson(key: string): unknown {
    const text = tabStorage.get(key)
    return text === undefined ? undefined : attempt(() => JSON.parse(text) as unknown)
  },

  set(key: string, text: string): void {
    memory.set(key, text)
    attempt(() => sessionStorage.setItem(key, text))
  },

  remove(key: string): void {
    memory.delete(key)
    attempt(() => sessionStorage.removeItem(key))
  },

  keys(): string[] {
    return [...new Set([...memory.keys(), ...(attempt(() => Object.keys(sessionStorage)) ?? [])])]
  },
}

/** Storage may be blocked, or full. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
