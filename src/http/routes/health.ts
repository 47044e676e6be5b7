import type { Storage } from '../../inventory/storage.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { Route } from '../exchange.ts'
import { jsonReply } from '../replies/json.ts'
import { openRoute } from '../route.ts'

const ok = jsonReply('{"status":"ok"}')

/** Health checks: is the process alive, and should it get requests? */
export function healthRoutes(storage: Pick<Storage, 'check'>, lifecycle: { readonly stage: string }): Route[] {
  return [
    openRoute('GET', '/livez', () => ok),

    openRoute('GET', '/readyz', async () => {
      const { stage } = lifecycle
      if (stage === 'starting') throw unavailable('The service is starting.')
      if (stage !== 'serving') throw unavailable('The service is stopping.')
      await storage.check().catch((error: Error) => {
        throw unavailable('The storage does not answer.', error)
      })
      return ok
    }),
  ]
}
