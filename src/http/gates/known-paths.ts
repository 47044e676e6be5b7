import { PetStoreError } from '../../inventory/errors.ts'
import type { Exchange, Gate, Reply } from '../exchange.ts'
import { isInApi, type RouteTable } from '../route-table.ts'
import { mergePatchTypes } from './media-type.ts'

/** Finds the route of a request. It refuses nothing: without a key nobody learns which paths exist. */
export function findRoute(find: RouteTable): Gate {
  return ({ request: { target, method }, findings }) => {
    const match = find(target.path)
    findings.route = match?.path.routes.get(method)
    findings.requiresKey = findings.route?.requiresKey ?? isInApi(target.path)
    findings.allow = match?.path.allow
    if (match !== undefined) findings.params = match.params
  }
}

/** The gate for route and method. Answers OPTIONS with the methods of the path. */
export function refuseUnknown({ request, findings, response }: Exchange): Reply | undefined {
  const { route, allow } = findings
  if (request.target.isBroken === true) throw brokenPath()
  if (route !== undefined) return undefined
  if (allow === undefined) throw new PetStoreError('not_found', 'There is nothing at this path.')

  response.headers['allow'] = allow
  if (request.method !== 'OPTIONS') throw new PetStoreError('method_not_allowed', `This path allows ${allow}.`)
  const isCrossOrigin = response.headers['access-control-allow-origin'] !== undefined
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
