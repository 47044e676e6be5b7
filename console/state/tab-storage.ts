/** For a browser without storage: a reload then loses the data. */
const memory = new Map<string, string>()

/** Data that lives as long as the tab, also after a reload: session storage only. */
export function readKept(name: string): string | undefined {
  return attempt(() => sessionStorage.getItem(name) ?? undefined) ?? memory.get(name)
}

export function keep(name: string, text: string): void {
  memory.set(name, text)
  attempt(() => sessionStorage.setItem(name, text))
}

export function forget(name: string): void {
  memory.delete(name)
  attempt(() => sessionStorage.removeItem(name))
}

export function keptNames(): string[] {
  return [...new Set([...memory.keys(), ...(attempt(() => Object.keys(sessionStorage)) ?? [])])]
}

/** Stored JSON, undefined if it is missing or invalid. */
export function readKeptJson(name: string): unknown {
  const text = readKept(name)
  return text === undefined ? undefined : attempt(() => JSON.parse(text) as unknown)
}

/** Storage may be blocked, or full. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
