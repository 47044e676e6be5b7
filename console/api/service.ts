import { PetStore, type PetStoreOptions } from '../../client/src/index.ts'
import { noteReach } from './reach.ts'
import { noteServiceTime } from './service-clock.ts'

/** The address of the service, derived from the address of the page: a proxy may serve it below a path. */
export function serviceAddress(): URL {
  return new URL('.', document.baseURI)
}

/** A user is waiting: no call takes longer than this with all its retries. */
const retry = { maxAttempts: 3, totalTimeoutMs: 15_000, baseDelayMs: 300 }

let current: PetStore | undefined
let lasting: PetStore | undefined

export function clientOptions(): Pick<PetStoreOptions, 'baseUrl' | 'retry'> {
  return { baseUrl: new URL('v1', serviceAddress()), retry }
}

/** Uses this key from now on. `onRefused` is called when the service no longer accepts it. */
export function connect(key: string, onRefused: () => void): void {
  const clientWith = (keepalive: boolean): PetStore =>
    new PetStore({
      ...clientOptions(),
      apiKey: key,
      async fetch(input, init) {
        const response = await fetch(input, keepalive ? { ...init, keepalive } : init).catch((error: unknown) => {
          // Neither stopped nor out of time.
          if (init?.signal?.aborted !== true) noteReach(false)
          throw error
        })
        noteReach(true)
        noteServiceTime(response.headers)
        // A key that was replaced in the meantime does not matter.
        if (response.status === 401 && current === connected) onRefused()
        return response
      },
    })
  const connected = clientWith(false)
  current = connected
  lasting = clientWith(true)
}

export function disconnect(): void {
  current = undefined
  lasting = undefined
}

/** Its requests are sent even if the page is left meanwhile. For small ones: a browser limits their bodies. */
export function lastingService(): PetStore {
  if (lasting === undefined) throw new Error('Nobody is signed in.')
  return lasting
}

/** The client with the key of the signed-in user. */
export function service(): PetStore {
  if (current === undefined) throw new Error('Nobody is signed in.')
  return current
}

/** Whether the user who started a call is still signed in. */
export function isCurrent(started: PetStore): boolean {
  return started === current || started === lasting
}
