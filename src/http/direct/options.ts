import type { ApiKey } from '../../inventory/keys.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'
import type { Observer } from '../replies/observe.ts'

/** What all responses without Fastify need. */
export interface DirectOptions {
  cache: VersionedCache
  /** The active key of an Authorization header, if it is known without waiting. */
  recognise: (header: string | undefined) => ApiKey | undefined
  observer: Observer
  /** Whether requests may be answered without Fastify now. */
  isOpen: () => boolean
  /** Whether links use forwarded headers of a proxy. */
  trustsProxies: boolean
  configuredBase: string | undefined
}
