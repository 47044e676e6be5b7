import type { FastifyRequest } from 'fastify'
import { encodeAuthor } from '../../contract/json.ts'
import type { ApiKey } from '../../inventory/keys.ts'

/** The author of the changes of a request, which has passed authentication. */
export function authorOf(request: FastifyRequest): string {
  const { id: keyId, name: keyName } = request.apiKey as ApiKey
  return encodeAuthor({ keyId, keyName, requestId: request.id })
}
