/** What this page has stored, for a browser whose storage is blocked or full: a reload then loses it. */
const memory = new Map<string, string>()

/** Data that lives as long as the tab, also after a reload: session storage only. */
export const tabStorage = {
  get(key: string): string | undefined {
    return memory.get(key) ?? attempt(() => sessionStorage.getItem(key) ?? undefined)
  },

  /** Stored JSON, undefined if it is missing or invalid. */
  getJson(key: string): unknown {
    const text = tabStorage.get(key)
    return text === undefined ? undefined : attempt(() => JSON.parse(text) as unknown)
  },

  set(key: string, text: string): void {
    memory.set(key, text)
    const isStored = attempt(() => sessionStorage.setItem(key, text) ?? true)
    // A full storage keeps the text from before, which a reload would bring back. Without it there may be room.
    if (isStored === undefined) attempt(() => sessionStorage.removeItem(key))
    if (isStored === undefined) attempt(() => sessionStorage.setItem(key, text))
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
