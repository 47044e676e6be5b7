import { type Exchange, headerOf } from './exchange.ts'
import { Skipped } from './expect.ts'

/**
 * Throws Skipped if the shop limits requests or puts them off, or if the key may read but not write: the contract speaks neither of limits
 * nor of permissions. A key that has added an animal may add others.
 */
export function skipIfNotAllowed({ request, response }: Exchange, hasCreated: boolean): void {
  const value = response && headerOf(response, 'retry-after')
  const after = value === undefined ? '' : `, Retry-After: ${value}`
  if (response?.status === 429) throw new Skipped(`the shop limits requests: 429${after} (try a lower --rate)`)
  if (response?.status === 503 && after !== '')
    throw new Skipped(`the shop puts requests off: 503${after} (try a lower --rate)`)
  const isWrite = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method)
  const isKnownToCreate = hasCreated && request.method === 'POST' && request.path === '/pets'
  if (response?.status === 403 && isWrite && !isKnownToCreate && request.authorization === undefined)
    throw new Skipped(`the key may not do this: ${request.method} is 403`)
}
