import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirmPreference } from '../replies/preference-applied.ts'
import { preferencesOf } from '../request/prefer.ts'

const strictInputs = new WeakSet<object>()

/** Honours `Prefer: handling=strict` and `handling=lenient`, which is what happens anyway. Before anything is checked. */
export function honourHandling(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.headers.prefer !== undefined) {
    const handling = preferencesOf(request).get('handling')
    if (handling === 'strict' || handling === 'lenient') confirmPreference(reply, `handling=${handling}`)
    if (handling === 'strict') strictInputs.add(request.query as object)
  }
  done()
}

/** Whether what the schema does not name is refused in this query or body. */
export function isStrict(input: object): boolean {
  return strictInputs.has(input)
}

/** The body is as strict as the query of the same request, of which it was known first. */
export function inheritStrictness({ query }: FastifyRequest, body: object): void {
  if (strictInputs.has(query as object)) strictInputs.add(body)
}
