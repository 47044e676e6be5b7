import { PetStoreError } from '../../inventory/errors.ts'
import type { Exchange, Gate, Reply } from '../exchange.ts'
import { isInApi, type RouteTable } from '../route-table.ts'
import { mergePatchTypes } from './media-type.ts'

/** Finds the route of a request. It refuses nothing: without a key nobody learns which paths exist. */
export function findRoute(find: RouteTable): Gate {
  return (exchange) => {
    const { target, method } = exchange
    const match = find(target.path)
    exchange.route = match?.path.routes.get(method)
    exchange.requiresKey = exchange.route?.requiresKey ?? isInApi(target.path)
    exchange.allow = match?.path.allow
    if (match !== undefined) exchange.params = match.params
  }
}

/** The gate for route and method. Answers OPTIONS with the methods of the path. */
export function refuseUnknown(exchange: Exchange): Reply | undefined {
  const { target, route, allow, replyHeaders } = exchange
  if (target.isBroken === true) throw brokenPath()
  if (route !== undefined) return undefined
  if (allow === undefined) throw new PetStoreError('not_found', 'There is nothing at this path.')

  replyHeaders['allow'] = allow
  if (exchange.method !== 'OPTIONS') throw new PetStoreError('method_not_allowed', `This path allows ${allow}.`)
  const isCrossOrigin = replyHeaders['access-control-allow-origin'] !== undefined
  return {
    status: 204,
    headers: {
      ...(allow.includes('PATCH') && { 'accept-patch': mergePatchTypes }),
      ...(isCrossOrigin && { 'access-control-allow-methods': allow }),
    },
  }
}

function brokenPath(): PetStoreError {
  return new PetStoreError(
    'invalid_request',
    'The path has a broken percent escape: % must begin the two hexadecimal digits of a byte of UTF-8.',
  )
}
