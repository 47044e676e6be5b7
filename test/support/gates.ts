import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TestContext } from 'node:test'
import type { Answer } from './app.ts'

/** With this header, which changes nothing where CORS is off, a request passes the gates. */
export const throughGates = { origin: 'https://shop.example' }

/** Counts the requests that reach a route of Fastify. */
export function countRouted(t: TestContext): () => number {
  let routed = 0
  const count = () => routed++
  subscribe('tracing:fastify.request.handler:start', count)
  t.after(() => unsubscribe('tracing:fastify.request.handler:start', count))
  return () => routed
}

/** A response without the headers that differ between any two. */
export function comparable({ status, headers, text }: Answer) {
  const rest = Object.fromEntries(headers)
  delete rest['x-request-id']
  delete rest['date']
  return { status, headers: rest, text }
}
