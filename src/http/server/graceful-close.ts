import type { App } from '../fastify-types.ts'
import type { HttpServer } from './http-server.ts'
import type { Lifecycle } from './lifecycle.ts'

/**
 * Closes an app without resetting a connection: first `app.drain`, if there is time, then `app.close`. `endLong` ends
 * the requests that may take long.
 */
export function closeGracefully(app: App, server: HttpServer, state: Lifecycle, endLong: () => void): void {
  function letGo(): Promise<number> {
    state.drain()
    endLong()
    return server.drain()
  }

  app.decorate('drain', async (released = async () => {}) => {
    await server.stopListening()
    await released()
    return letGo()
  })
  app.addHook('preClose', (done) => {
    void letGo()
    done()
  })
}
