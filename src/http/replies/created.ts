import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseAddress } from './base-address.ts'
import { entityTag } from '../../inventory/precondition.ts'
import { revalidated, sendTagged } from './etag.ts'
import { jsonType } from './json-reply.ts'

export interface CreatedParts {
  /** The address of the resource, below the base address. */
  path: string
  body: string
  /** `replayed`: the response to an earlier request with the same idempotency key is sent again. */
  outcome: string
}

/** Sends a new resource after a create. */
export function sendCreated(request: FastifyRequest, reply: FastifyReply, created: CreatedParts): void {
  reply.code(201).headers(headersOf(created, baseAddress(request)))
  sendTagged(reply, created.body)
}

/** The same response, apart from the headers that every response of its operation has. */
export function createdResponse(created: CreatedParts, base: string) {
  const { body } = created
  return { headers: { ...jsonType, ...revalidated(entityTag(body)), ...headersOf(created, base) }, body }
}

function headersOf({ path, outcome }: CreatedParts, base: string) {
  const location = `${base}${path}`
  return outcome === 'replayed' ? { location, 'idempotent-replayed': 'true' } : { location }
}
