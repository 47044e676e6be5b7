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
export function sendCreated(request: FastifyRequest, reply: FastifyReply, { path, body, outcome }: CreatedParts): void {
  if (outcome === 'replayed') reply.header('idempotent-replayed', 'true')
  reply.code(201).header('location', `${baseAddress(request)}${path}`)
  sendTagged(reply, body)
}

/** The same for a request without an idempotency key. */
export function createdResponse(path: string, body: string, base: string) {
  return { headers: { ...jsonType, ...revalidated(entityTag(body)), location: `${base}${path}` }, body }
}
