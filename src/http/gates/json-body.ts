import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import { inheritStrictness } from './strict-handling.ts'
import { parseObject } from '../request/json-object.ts'
import { refusalOfRepeated } from '../request/raw-headers.ts'

const parameters = '\\s*(;\\s*charset\\s*=\\s*("utf-8"|utf-8)\\s*)?;?$'

/** The value of `Accept-Patch` (RFC 5789): the media types of a change. */
export const mergePatchTypes = 'application/merge-patch+json, application/json'

/** The gate for the media type. Runs before the body is read. */
const requireJson = requireType('application/json', new RegExp(`^application/json${parameters}`, 'i'))

/** The same for a JSON merge patch, which may also be sent as plain JSON. */
const requireMergePatch = requireType(
  'application/merge-patch+json or application/json',
  new RegExp(`^application/(merge-patch\\+)?json${parameters}`, 'i'),
  { 'accept-patch': mergePatchTypes },
)

/** The same for a file of animals. */
const requireFile = requireType(
  'text/csv or application/x-ndjson',
  /^(text\/csv|application\/x-ndjson)(\s*;\s*(charset\s*=\s*("utf-8"|utf-8)|header\s*=\s*present))*\s*;?$/i,
)

/** Adds the body gates to every route that takes a file or whose schema has a body. Called for every route. */
export function checkEveryBody(route: RouteOptions): void {
  if (route.config?.operation?.files !== undefined) route.onRequest = [route.onRequest ?? [], requireFile].flat()
  if (route.schema?.body === undefined) return
  route.onRequest = [route.onRequest ?? [], route.method === 'PATCH' ? requireMergePatch : requireJson].flat()
  route.preValidation = [route.preValidation ?? [], parseBody].flat()
}

function requireType(name: string, form: RegExp, hint: Record<string, string> = {}) {
  return function requireIt(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers
    const repeated = refusalOfRepeated(request, 'Content-Type')
    if (repeated !== undefined) return done(repeated)
    if (type === undefined ? hasBody(request) && length !== '0' : !form.test(type)) {
      reply.headers(hint)
      return done(new PetStoreError('unsupported_media_type', `Send the body as Content-Type: ${name}, in UTF-8.`))
    }
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      reply.header('accept-encoding', 'identity')
      return done(new PetStoreError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.'))
    }
    done()
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** The gate for the syntax of the body: one JSON object in strict UTF-8. */
function parseBody(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  try {
    const body = parseObject(request.body as Buffer | undefined)
    inheritStrictness(request, body)
    request.body = body
  } catch (error) {
    return done(error as Error)
  }
  done()
}
