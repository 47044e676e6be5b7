import { once } from 'node:events'
import type { Server } from 'node:http'
import type { VersionedCache } from '../cache/versioned-cache.ts'
import type { BudgetStats } from '../../inventory/byte-budget.ts'
import type { Exchange } from '../exchange.ts'
import type { Observer } from '../replies/observe.ts'
import type { Answer } from '../request-path.ts'
import type { Site } from '../request/received-request.ts'
import type { Certificate } from './certificate.ts'
import { createHttpServer } from './http-server.ts'
import { type Inject, injector } from './inject.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { ConnectionLimits } from './limits.ts'

export interface App {
  readonly server: Server
  listen(address: { host: string; port: number }): Promise<void>
  /**
   * Stops listening, serves requests that still arrive on open connections, and closes each. Sends `Connection: close`
   * after `released` resolves, when the port is closed. Returns the number of connections that had to be cut.
   */
  drain(released?: () => Promise<void>): Promise<number>
  close(): Promise<void>
  stats(): EdgeStats
  /** Sends a request through all gates without a connection. */
  inject: Inject
}

/** What the HTTP edge of this process does. */
export interface EdgeStats {
  connections: number
  /** Sections of the cache, and how often a value was found there, and how often not. */
  caches: { name: string; hits: number; misses: number }[]
  /** The number of events that the slowest stream has not been sent. Rejects if the storage does not answer. */
  streamLagEvents: () => Promise<number>
  /** What is in memory for clients. */
  budget: BudgetStats
}

export interface AppParts {
  /** The path of every request. */
  answer: Answer
  site: Site
  cache: VersionedCache
  observer: Observer
  state: Lifecycle
  connectionLimits?: Partial<ConnectionLimits> | undefined
  connectionLimitReached?: (() => void) | undefined
  certificate?: Certificate | undefined
  streamLagEvents: EdgeStats['streamLagEvents']
  /** Ends streams, imports and whatever else may take long. */
  endLongRequests: () => void
  /** The headers that every response has, also one to a request that cannot be parsed. */
  headersOf?: ((exchange: Exchange | undefined) => Record<string, string>) | undefined
}

/** Puts the path of a request on a server. Does not listen yet. */
export function createApp(parts: AppParts): App {
  const { answer, site, cache, observer, state, streamLagEvents, endLongRequests } = parts
  const inject = injector(answer, site)
  const http = createHttpServer({
    answer,
    inject,
    site,
    cache,
    refused: observer.refused,
    headersOf: parts.headersOf,
    limits: parts.connectionLimits,
    connectionLimitReached: parts.connectionLimitReached,
    certificate: parts.certificate,
    isLeaving: () => state.stage === 'leaving' || state.stage === 'draining',
  })

  function startDrain(): Promise<number> {
    state.drain()
    endLongRequests()
    return http.drain()
  }

  return {
    server: http.server,
    inject,
    async listen(address) {
      http.server.listen(address)
      await once(http.server, 'listening')
    },
    async drain(released = async () => {}) {
      await http.stopListening()
      await released()
      return startDrain()
    },
    async close() {
      void startDrain()
      await http.close()
    },
    stats: () => ({
      connections: http.connectionCount(),
      caches: cache.stats(),
      streamLagEvents,
      budget: site.budget.stats(),
    }),
  }
}
