import type { FastifyRequest } from 'fastify'
import { encodeAuthor } from '../../contract/json.ts'
import type { ApiKey } from '../../inventory/keys.ts'

/** The author of the changes of a request, which has passed authentication. */
export function authorOf(request: FastifyRequest): string {
  return encodedAuthor(request.apiKey as ApiKey, request.id)
}

export function encodedAuthor({ id: keyId, name: keyName }: ApiKey, requestId: string): string {
  return encodeAuthor({ keyId, keyName, requestId })
}
