interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  examples?: Record<string, { value: unknown }>
}

interface Media {
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface DocumentedOperation {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: { content: Record<string, Media> }
}

export interface DocumentWithExamples {
  paths: Record<string, Record<string, DocumentedOperation>>
}

/** A request made of nothing but examples of the document. */
export interface ExampleRequest {
  operationId: string
  /** Which examples it has. */
  name: string
  method: string
  /** With its query, below the base address. */
  path: string
  headers: Record<string, string>
  body?: string
}

/** What a demo shop refuses although the document is right, with its status and the reason. */
export const refusedInDemoShop: Readonly<Record<string, { status: number; reason: string }>> = {
  deleteCategory: { status: 409, reason: 'every category of the demo shop has animals' },
  getCurrentInvitation: { status: 401, reason: 'it needs the token of an invitation in the place of a key' },
  redeemInvitation: { status: 401, reason: 'it needs the token of an invitation in the place of a key' },
}

/** Operations with a required parameter for which the demo shop has no value. */
export const needsEarlierResponse: Readonly<Record<string, { status: number; reason: string }>> = {
  undoImport: { status: 404, reason: 'nothing was imported into the shop' },
  getInvitation: { status: 404, reason: 'an invitation ends within a day, so a shop begins with none' },
  deleteInvitation: { status: 404, reason: 'an invitation ends within a day, so a shop begins with none' },
  resendDelivery: { status: 404, reason: 'a shop begins without events, so nothing was sent' },
}

/**
 * For each operation: each body alone, each optional parameter alone, and all of them together. Those that need a value
 * of an earlier response have no requests.
 */
export function exampleRequests({ paths }: DocumentWithExamples): Map<string, ExampleRequest[]> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  return new Map(operations.map((operation) => [operation.operationId, requestsOf(operation)]))
}

function requestsOf(operation: DocumentedOperation & { path: string; method: string }): ExampleRequest[] {
  const { operationId, path, method, parameters, requestBody } = operation
  const required = parameters.filter((parameter) => parameter.required)
  if (required.some(({ examples }) => examples === undefined)) return []
  const optional = parameters.filter(({ examples, ...parameter }) => !parameter.required && examples !== undefined)
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(bodiesOf)
  const [first] = bodies

  function request(name: string, sent: readonly Parameter[], body?: Body): ExampleRequest {
    const all = [...required, ...sent]
    const placed = all
      .filter(({ in: place }) => place === 'path')
      .reduce((text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(valueOf(parameter))), path)
    const query = new URLSearchParams(
      all.filter(({ in: place }) => place === 'query').map((parameter) => [parameter.name, valueOf(parameter)]),
    )
    const headers = all.filter(({ in: place }) => place === 'header').map((one) => [one.name, valueOf(one)])
    return {
      operationId,
      name,
      method,
      path: query.size === 0 ? placed : `${placed}?${query.toString()}`,
      headers: { ...Object.fromEntries(headers), ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.text }),
    }
  }

  return [
    ...(bodies.length === 0 ? [request('alone', [])] : bodies.map((body) => request(body.name, [], body))),
    ...optional.map((parameter) => request(parameter.name, [parameter], first)),
    request('all together', optional, first),
  ]
}

interface Body {
  name: string
  type: string
  text: string
}

function bodiesOf([type, { example, examples = { default: { value: example } } }]: [string, Media]): Body[] {
  return Object.entries(examples).map(([name, { value }]) => ({
    name: `${type}, ${name}`,
    type,
    text: type.includes('json') && typeof value !== 'string' ? JSON.stringify(value) : String(value),
  }))
}

function valueOf({ examples = {} }: Parameter): string {
  return String(Object.values(examples)[0]?.value)
}
