/** For a browser that refuses to store anything: then a reload forgets. */
const memory = new Map<string, string>()

/** What is kept as long as the tab, also when it is loaded again. Session storage, and nothing else. */
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

/** JSON that this page kept, or undefined when there is none that can be read. */
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
