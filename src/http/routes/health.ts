import type { Storage } from '../../inventory/storage.ts'
import { unavailable } from '../../inventory/errors.ts'
import { sendJson } from '../replies/json-reply.ts'
import type { App } from '../fastify-types.ts'

/** Health checks: is the process alive, and should it get requests? */
export function healthRoutes(app: App, storage: Storage, lifecycle: { readonly stage: string }): void {
  app.get('/livez', (_request, reply) => {
    reply.header('cache-control', 'no-store')
    sendJson(reply, '{"status":"ok"}')
  })

  app.get('/readyz', async (_request, reply) => {
    const { stage } = lifecycle
    if (stage === 'starting') throw unavailable('The service is starting.')
    if (stage !== 'serving') throw unavailable('The service is stopping.')
    await storage.check().catch((error: Error) => {
      throw unavailable('The storage does not answer.', error)
    })
    reply.header('cache-control', 'no-store')
    sendJson(reply, '{"status":"ok"}')
    return reply
  })
}
