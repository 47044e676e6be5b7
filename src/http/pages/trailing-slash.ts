import type { Route } from '../exchange.ts'
import { openRoute } from '../route.ts'

/**
 * The address of a page with a slash after it leads to the page. The location is relative: a proxy may serve the page
 * below a path of its own.
 */
export function trailingSlashRoute(path: string): Route {
  const location = `../${path.slice(path.lastIndexOf('/') + 1)}`
  return openRoute('GET', `${path}/`, () => ({ status: 308, headers: { location, 'cache-control': 'no-cache' } }))
}
