import { PetStore } from '../../client/src/index.ts'

/** The address of the service. A proxy may serve it below a path, so it is told from where this file came from. */
export const serviceAddress = new URL('../../../../', import.meta.url)

/** A person waits: no call takes longer than this, however often it is tried. */
const retry = { maxAttempts: 3, totalTimeoutMs: 15_000, baseDelayMs: 300 }

let current: PetStore | undefined

/** Calls the service with this key from now on. `onRefused` is called when the service does not accept it any more. */
export function connect(key: string, onRefused: () => void): void {
  const connected: PetStore = new PetStore({
    baseUrl: new URL('v1', serviceAddress),
    apiKey: key,
    retry,
    async fetch(...request) {
      const response = await fetch(...request)
      // A key that was replaced while this was on its way does not matter any more.
      if (response.status === 401 && current === connected) onRefused()
      return response
    },
  })
  current = connected
}

export function disconnect(): void {
  current = undefined
}

/** The service as seen with the key of the person who is signed in. */
export function service(): PetStore {
  if (current === undefined) throw new Error('Nobody is signed in.')
  return current
}

/** Whether the person who started something is still signed in when it ends. */
export function isCurrent(started: PetStore): boolean {
  return current === started
}
