import type { HttpRequest } from '../http/send.ts'
import type { ShopRequest } from './exchange.ts'

/** What is sent for a request to a shop with this key. */
export function httpRequestOf(
  { authorization, contentType = 'application/json', headers = {}, ...request }: ShopRequest,
  { base, key, authorizationName }: { base: URL; key: string; authorizationName: string },
): HttpRequest {
  const { method, path, body, bodyCuts, headerForm, without, until } = request
  const credential = authorization === undefined ? `Bearer ${key}` : authorization
  const all: [string, string][] = []
  if (credential !== null) all.push([authorizationName, credential])
  if (body !== undefined) all.push(['Content-Type', contentType])
  all.push(...Object.entries(headers))
  return {
    method,
    url: new URL(base.href.replace(/\/$/, '') + path),
    headers: all,
    ...(body !== undefined && { body }),
    ...(bodyCuts !== undefined && { bodyCuts }),
    ...(headerForm !== undefined && { headerForm }),
    ...(without !== undefined && { without }),
    ...(until !== undefined && { until: (part) => until(part.body.toString()) }),
  }
}
