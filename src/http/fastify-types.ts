import type { Server } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
} from 'fastify'
import type { Operation } from '../contract/operation.ts'

/** A Fastify instance whose handlers take their input's types from the schemas. */
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
     * Stops listening, answers what still arrives on open connections, and lets go of each. Clients are asked to reconnect
     * once `released` resolves: when nobody listens on the port any more. Returns how many connections had to be cut.
     */
    drain(released?: () => Promise<void>): Promise<number>
  }
  interface FastifyReply {
    /** A stream of events, which has no end of its own. */
    isStream: boolean
  }
  interface FastifyContextConfig {
    /** What the route serves: its permission and its deprecation are minded before the handler runs. */
    operation?: Operation
  }
}
