import { PetStore, type PetStoreOptions } from '../../client/src/index.ts'

/** The address of the service, derived from the address of the page: a proxy may serve it below a path. */
export function serviceAddress(): URL {
  return new URL('.', document.baseURI)
}

/** A user is waiting: no call takes longer than this with all its retries. */
const retry = { maxAttempts: 3, totalTimeoutMs: 15_000, baseDelayMs: 300 }

let current: PetStore | undefined

export function clientOptions(): Pick<PetStoreOptions, 'baseUrl' | 'retry'> {
  return { baseUrl: new URL('v1', serviceAddress()), retry }
}

/** Uses this key from now on. `onRefused` is called when the service no longer accepts it. */
export function connect(key: string, onRefused: () => void): void {
  const connected: PetStore = new PetStore({
    ...clientOptions(),
    apiKey: key,
    async fetch(...request) {
      const response = await fetch(...request)
      // A key that was replaced in the meantime does not matter.
      if (response.status === 401 && current === connected) onRefused()
      return response
    },
  })
  current = connected
}

export function disconnect(): void {
  current = undefined
}

/** The client with the key of the signed-in user. */
export function service(): PetStore {
  if (current === undefined) throw new Error('Nobody is signed in.')
  return current
}

/** Whether the user who started a call is still signed in. */
export function isCurrent(started: PetStore): boolean {
  return current === started
}
