import type { Server } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
} from 'fastify'
import type { Operation } from '../contract/operation.ts'

/** A Fastify instance with handler input types from the schemas. */
export type App = FastifyInstance<
  Server,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Stops listening, serves requests that still arrive on open connections, and closes each. Sends
     * `Connection: close` after `released` resolves, when the port is closed. Returns the number of connections that
     * had to be cut.
     */
    drain(released?: () => Promise<void>): Promise<number>
  }
  interface FastifyReply {
    /** An event stream, which does not end by itself. */
    isStream: boolean
  }
  interface FastifyContextConfig {
    /** The operation of the route; its permission and deprecation are checked before the handler runs. */
    operation?: Operation
  }
}
