import { Categories } from './categories.ts'
import type { Warning } from './deprecation.ts'
import { Events } from './events.ts'
import { Orders } from './orders.ts'
import { Pets } from './pets.ts'
import { type RetryOptions, retryPolicy } from './retry.ts'
import { Transport } from './transport.ts'

export interface PetStoreOptions {
  /** The address of the service, which ends in `/v1`. */
  baseUrl: string | URL
  apiKey: string
  /** Milliseconds that one try of a call may take. 10,000 unless given. */
  timeoutMs?: number | undefined
  retry?: RetryOptions | undefined
  /** Told once about each deprecated operation that is called. `console.warn` unless given. */
  onWarning?: ((warning: Warning) => void) | undefined
  /** In the place of the runtime's own. */
  fetch?: typeof globalThis.fetch | undefined
}

/** A pet store. Holds no connection and needs no closing. */
export class PetStore {
  readonly pets: Pets
  readonly orders: Orders
  readonly categories: Categories
  readonly events: Events

  constructor({ baseUrl, apiKey, timeoutMs, retry, onWarning, fetch }: PetStoreOptions) {
    const transport = new Transport({
      baseUrl: readBaseUrl(baseUrl),
      apiKey: readApiKey(apiKey),
      timeoutMs: timeoutMs ?? 10_000,
      retry: retryPolicy(retry),
      onWarning: onWarning ?? (({ message }) => console.warn(message)),
      // Looked up with each call: some replace it later, to watch or to test.
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    })
    this.pets = new Pets(transport)
    this.orders = new Orders(transport)
    this.categories = new Categories(transport)
    this.events = new Events(transport)
  }
}

function readBaseUrl(baseUrl: string | URL): string {
  // A page may give a path alone.
  const { location } = globalThis as { location?: { href: string } }
  const url = URL.parse(baseUrl, location?.href)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must be an http or https address without user, query and fragment')
  }
  return url.href.replace(/\/+$/, '')
}

/** Not shown in the message: it may be a key with a line break behind it. */
function readApiKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey must be printable ASCII characters without spaces')
  return apiKey
}
