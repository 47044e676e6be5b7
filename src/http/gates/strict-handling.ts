import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirmPreference } from '../replies/preference-applied.ts'
import { preferencesOf } from '../request/prefer.ts'

const strictInputs = new WeakSet<object>()

/** Applies `Prefer: handling=strict` and `handling=lenient`, the default. Runs before validation. */
export function honourHandling(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.headers.prefer !== undefined) {
    const handling = preferencesOf(request).get('handling')
    if (handling === 'strict' || handling === 'lenient') confirmPreference(reply, `handling=${handling}`)
    if (handling === 'strict') strictInputs.add(request.query as object)
  }
  done()
}

/** Whether unknown names are refused in this query or body. */
export function isStrict(input: object): boolean {
  return strictInputs.has(input)
}

/** Marks the body as strict if the query of its request is. */
export function inheritStrictness({ query }: FastifyRequest, body: object): void {
  if (strictInputs.has(query as object)) strictInputs.add(body)
}
