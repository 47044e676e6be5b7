import { entityTag } from '../../inventory/precondition.ts'
import type { Exchange, Reply } from '../exchange.ts'
import { revalidated } from './etag.ts'
import { jsonType } from './json.ts'

export interface Created {
  /** The address of the resource, below the base address. */
  path: string
  body: string
  /** `replayed`: the response to an earlier request with the same idempotency key is sent again. */
  outcome: string
}

/** A new resource after a create. */
export function createdReply({ request: { base } }: Exchange, { path, body, outcome }: Created): Reply {
  const headers: Record<string, string> = {
    ...jsonType,
    ...revalidated(entityTag(body)),
    location: `${base}${path}`,
  }
  if (outcome === 'replayed') headers['idempotent-replayed'] = 'true'
  return { status: 201, headers, body }
}
