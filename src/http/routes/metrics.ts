import type { onRequestHookHandler } from 'fastify'
import type { App } from '../fastify-types.ts'

/** Metrics for Prometheus. On the public port they require a key. */
export function metricsRoute(app: App, metrics: () => Promise<string>, keyGates: onRequestHookHandler[]): void {
  app.get('/metrics', { onRequest: keyGates }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics())
  })
}
