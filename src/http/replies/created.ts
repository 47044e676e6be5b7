import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseAddress } from './base-address.ts'
import { sendTagged } from './etag.ts'

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
