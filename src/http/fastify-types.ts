import type { Server } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
} from 'fastify'
import type { Operation } from '../contract/operation.ts'
import type { ApiKey } from '../inventory/keys.ts'

/** A Fastify instance with handler input types from the schemas. */
export type App = FastifyInstance<
  Server,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What the HTTP edge of this process does. */
export interface EdgeStats {
  connections: number
  /** Sections of the cache, and how often a value was found there, and how often not. */
  caches: { name: string; hits: number; misses: number }[]
  /** The number of events that the slowest stream has not been sent. Rejects if the storage does not answer. */
  streamLagEvents: () => Promise<number>
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Stops listening, serves requests that still arrive on open connections, and closes each. Sends
     * `Connection: close` after `released` resolves, when the port is closed. Returns the number of connections that
     * had to be cut.
     */
    drain(released?: () => Promise<void>): Promise<number>
    stats(): EdgeStats
  }
  interface FastifyRequest {
    /** The key of the request, after authentication. */
    apiKey: ApiKey | undefined
  }
  interface FastifyReply {
    /** An event stream, which does not end by itself. */
    isStream: boolean
  }
  interface FastifyContextConfig {
    /** The operation of the route; its permission and deprecation are checked before the handler runs. */
    operation?: Operation
    /** The path does not have this method, although a pattern that matches it has. */
    isRefused?: boolean
  }
}
