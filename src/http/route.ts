import type { Static, TObject, TSchema } from 'typebox'
import { bodyLimit } from '../contract/body-limit.ts'
import { checker } from '../contract/checker.ts'
import type { Operation } from '../contract/operation.ts'
import { Type } from '../contract/schema.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { Exchange, Reply, Route } from './exchange.ts'
import { parseObject } from './request/json-object.ts'
import { brokenQuery, isMalformed, parseQuery } from './request/query.ts'

type Path<O> = O extends { parameters: { path: infer Schema extends TObject } } ? Schema : TObject<{}>
type Query<O> = O extends { parameters: { query: infer Schema extends TObject } } ? Schema : TObject<{}>
type JsonBody<O> = O extends { body: infer Schema extends TSchema } ? Static<Schema> : undefined

/** What the request of an operation says, validated. Ids in the path are text: an invalid one is not found. */
export interface Input<O> {
  params: Record<keyof Static<Path<O>>, string>
  query: Static<Query<O>>
  body: JsonBody<O>
}

type Options = Partial<Pick<Route, 'isCached' | 'streamsBody' | 'maxBodyBytes'>>

const NoParameters = Type.Object({})

/** The route of an operation: its path, permission and schemas come from the contract. */
export function operationRoute<O extends Operation>(
  operation: O,
  handle: (input: Input<O>, exchange: Exchange) => Reply | Promise<Reply>,
  options: Options = {},
): Route {
  const { method, path, parameters, body } = operation as Operation
  return {
    method,
    path: `/v1${path.replaceAll('{', ':').replaceAll('}', '')}`,
    operation,
    requiresKey: true,
    maxBodyBytes: bodyLimit,
    checkQuery: queryCheck(parameters?.query ?? NoParameters),
    ...(body !== undefined && { checkBody: bodyCheck(body as TObject) }),
    ...options,
    handle: (exchange) => handle(exchange.findings as Input<O>, exchange),
  }
}

/** The route of a page, a document or anything else that is no operation. */
export function openRoute(
  method: Route['method'],
  path: string,
  handle: (exchange: Exchange) => Reply | Promise<Reply>,
  options: Partial<Pick<Route, 'requiresKey' | 'checkBody'>> = {},
): Route {
  return { method, path, requiresKey: false, maxBodyBytes: bodyLimit, ...options, handle }
}

function queryCheck(schema: TObject): NonNullable<Route['checkQuery']> {
  const check = checker(schema, 'text')
  return (text, isStrict) => {
    const query = parseQuery(text)
    if (isMalformed(query)) throw brokenQuery()
    const checked = check(query, isStrict)
    if ('faults' in checked) throw new PetStoreError('invalid_parameter', checked.faults, checked)
    return checked.value
  }
}

/** The syntax of a body, then the rules of its schema. */
export function bodyCheck(schema: TObject): NonNullable<Route['checkBody']> {
  const check = checker(schema, 'json')
  return (bytes, isStrict) => {
    const checked = check(parseObject(bytes) as Record<string, unknown>, isStrict)
    if ('faults' in checked) throw new PetStoreError('invalid_body', checked.faults, checked)
    return checked.value
  }
}
