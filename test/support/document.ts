import assert from 'node:assert/strict'
import { openApiDocument } from '../../src/contract/document/openapi.ts'

interface Parameter {
  name: string
  in: string
  required: boolean
  description: string
  examples?: { default: { value: unknown } }
  'x-stability'?: string
  schema: Record<string, unknown>
}
interface Answer {
  description: string
  headers: Record<string, unknown>
  links?: Record<string, { operationId: string }>
  content?: Record<string, { schema: unknown; examples?: Record<string, { value: unknown }> }>
}
interface Operation {
  operationId: string
  deprecated?: boolean
  'x-sunset'?: string
  'x-stability'?: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> }
  responses: Record<string, Answer>
}
export interface Schema {
  examples?: unknown[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  enum?: string[]
  const?: string
  anyOf?: unknown[]
  $ref?: string
}
export interface Document {
  openapi: string
  info: { version: string }
  servers: { url: string; description: string; variables?: Record<string, unknown> }[]
  security: unknown[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, { description: string; schema: Schema }>
    responses: Record<string, Answer>
    securitySchemes: Record<string, { type: string; scheme: string }>
  }
}

export const document = openApiDocument() as unknown as Document

export const all = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .map((each) => ({ ...each, responses: followed(each.responses) }))

/** Their bearer token is that of an invitation. */
export const forInvited = new Set(['/invitations/current', '/invitations/redeem'])

export function isForAdmins(path: string): boolean {
  return /^\/(keys|invitations|webhooks)/.test(path) && !forInvited.has(path)
}

/** The answers with what they refer to in their place. */
function followed(responses: Record<string, Answer | { $ref: string }>): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => [
      status,
      '$ref' in answer ? (document.components.responses[answer.$ref.replace(/.*\//, '')] as Answer) : answer,
    ]),
  )
}

export function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method]
  assert.ok(found !== undefined, `no ${method} ${path}`)
  return found
}

export function parameter({ operationId, parameters }: Operation, name: string): Parameter {
  const found = parameters.find((each) => each.name === name)
  assert.ok(found !== undefined, `${operationId} has no ${name}`)
  return found
}
