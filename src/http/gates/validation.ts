import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js'
import type { TObject, TSchema } from 'typebox'
import { checker } from '../../contract/rules.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { brokenQuery, isMalformed } from './query.ts'

/** The gate for the rules of the schemas: a body is JSON, every other part of a request is text. */
export function validatorCompiler({ schema, httpPart }: FastifyRouteSchemaDef<TSchema>) {
  const isBody = httpPart === 'body'
  const code = isBody ? 'invalid_body' : 'invalid_parameter'
  const check = checker(schema as TObject, isBody ? 'json' : 'text')

  return function validate(input: Record<string, unknown>) {
    // What is wrong with the query as such has to be said here: what is accepted takes its place.
    if (isMalformed(input)) return { error: brokenQuery() }
    const checked = check(input)
    return 'faults' in checked ? { error: new PetStoreError(code, checked.faults) } : checked
  }
}
