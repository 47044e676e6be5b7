import type { RouteOptions } from 'fastify'
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js'
import type { TObject, TSchema } from 'typebox'
import { checker } from '../../contract/rules.ts'
import { Type } from '../../contract/schema.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { isStrict } from './strict-handling.ts'
import { brokenQuery, isMalformed } from '../request/query.ts'

const NoParameters = Type.Object({})

/** An operation without parameters has a query too, to be checked like any other. To be called with every route. */
export function checkEveryQuery(route: RouteOptions): void {
  route.schema = { querystring: NoParameters, ...route.schema }
}

/** The gate for the rules of the schemas: a body is JSON, every other part of a request is text. */
export function validatorCompiler({ schema, httpPart }: FastifyRouteSchemaDef<TSchema>) {
  const isBody = httpPart === 'body'
  const code = isBody ? 'invalid_body' : 'invalid_parameter'
  const check = checker(schema as TObject, isBody ? 'json' : 'text')

  return function validate(input: Record<string, unknown>) {
    // What is wrong with the query as such has to be said here: what is accepted takes its place.
    if (isMalformed(input)) return { error: brokenQuery() }
    const checked = check(input, isStrict(input))
    return 'faults' in checked ? { error: new PetStoreError(code, checked.faults) } : checked
  }
}
