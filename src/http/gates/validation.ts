import type { RouteOptions } from 'fastify'
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js'
import type { TObject, TSchema } from 'typebox'
import { checker } from '../../contract/checker.ts'
import { Type } from '../../contract/schema.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { isStrict } from './strict-handling.ts'
import { brokenQuery, isMalformed } from '../request/query.ts'

const NoParameters = Type.Object({})

/** Gives operations without parameters a query schema, so that their query is checked too. Called for every route. */
export function checkEveryQuery(route: RouteOptions): void {
  route.schema = { querystring: NoParameters, ...route.schema }
}

/** The gate for the rules of the schemas. A body is JSON, other parts of a request are text. */
export function validatorCompiler({ schema, httpPart }: FastifyRouteSchemaDef<TSchema>) {
  const isBody = httpPart === 'body'
  const code = isBody ? 'invalid_body' : 'invalid_parameter'
  const check = checker(schema as TObject, isBody ? 'json' : 'text')

  return function validate(input: Record<string, unknown>) {
    // A malformed query is reported here, because the validated value replaces the query.
    if (isMalformed(input)) return { error: brokenQuery() }
    const checked = check(input, isStrict(input))
    return 'faults' in checked ? { error: new PetStoreError(code, checked.faults, checked) } : checked
  }
}
