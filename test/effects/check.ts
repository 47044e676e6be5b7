import type { TestContext } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { checkBulk } from './bulk.ts'
import { Contract, type Document, type Operation, type Schema } from './document.ts'
import { checkHeader } from './headers.ts'
import { checkMember, checkFiles } from './members.ts'
import { checkPathParameter, checkQueryParameter } from './parameters.ts'
import { type Check, fillShop, freshTarget, type Item, sentFor } from './shop.ts'

/** What is sent to a webhook stays on this machine, where nothing listens. */
const ownMachine = { allowPrivate: true, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }

const deliveryStall = async () => ({ since: 0, reason: 'storage' as const })

/** Sends every member and parameter that a document has and returns what has no effect, one sentence each. */
export async function missingEffects(t: TestContext, document: Document): Promise<string[]> {
  let now = Date.parse('2027-01-31T12:00:00Z')
  // No two events have the same time.
  const app = await startApp(t, { clock: () => (now += 1_000), webhookAddresses: ownMachine, deliveryStall })
  const contract = new Contract(document)
  const missing = new Set<string>()
  const seen = new Set<string>()
  const check: Check = {
    app,
    contract,
    missing,
    async send({ method, result }, path, { body, headers = {} } = {}): Promise<Answer> {
      const isJson = body !== undefined && !('content-type' in headers)
      const answer = await app.send(`/v1${path}`, {
        method,
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
        headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      })
      note(contract, seen, answer.status < 400 ? result : contract.schema('Error'), answer.body)
      return answer
    },
  }
  await fillShop(check)
  // Lists first: those of one page hold everything now.
  const isList = ({ method, path }: Operation) => method === 'GET' && !path.includes('{')
  for (const operation of contract.operations.filter(isList)) await checkOperation(check, operation)
  for (const operation of contract.operations.filter((each) => !isList(each))) await checkOperation(check, operation)
  await checkFiles(check)
  for (const [name, schema] of contract.schemas()) {
    for (const [member, property] of contract.membersOf(schema)) {
      // Schemas that only receive are checked by their operations; some responses never have what others of the kind have.
      const isShared = [...seen].some((text) => text === JSON.stringify([member, property]))
      if (!isShared && isOfResponses(contract, name)) missing.add(`${name}: no response has ${member}`)
    }
  }
  return [...missing]
}

async function checkOperation(check: Check, operation: Operation): Promise<void> {
  const { path } = await freshTarget(check, operation)
  const { status } = await check.send(operation, path, await sentFor(check, operation))
  if (status >= 300) check.missing.add(`${operation.id}: a valid request is refused with ${status}`)
  if (operation.id === 'bulkChangePets') await checkBulk(check, operation)
  else
    for (const [name, schema] of check.contract.membersOf(operation.body)) {
      await checkMember(check, operation, name, schema)
    }
  for (const parameter of operation.parameters) {
    if (parameter.in === 'query') await checkQueryParameter(check, inFirst(operation), parameter)
    else if (parameter.in === 'header') await checkHeader(check, operation, parameter)
    else await checkPathParameter(check, operation)
  }
}

/** A list below a resource: that of the first one. */
function inFirst(operation: Operation): Operation {
  return { ...operation, path: operation.path.replace(/\{\w+\}/, '1') }
}

/** Notes the members of a value, by their definition. */
function note(contract: Contract, seen: Set<string>, schema: Schema | undefined, value: unknown): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return
  const { items, oneOf } = contract.resolve(schema)
  if (Array.isArray(value)) return value.forEach((item) => note(contract, seen, items, item))
  const item = value as Item
  const members = oneOf === undefined ? contract.membersOf(schema) : membersOfKind(contract, oneOf, item)
  for (const [name, property] of members) {
    if (!(name in item)) continue
    seen.add(JSON.stringify([name, property]))
    note(contract, seen, property, item[name])
  }
}

/** Kinds differ in the constant that is their `type`, or in what they require. */
function membersOfKind(contract: Contract, kinds: readonly Schema[], item: Item) {
  const isKind = (kind: Schema) => {
    const { properties, required = [] } = contract.resolve(kind)
    return properties?.['type']?.const === item['type'] && required.every((name) => name in item)
  }
  return contract.membersOf(kinds.find(isKind))
}

/** Only sent to webhooks, where test/contract/webhook-requests.test.ts looks at it. */
const sentOnly = 'WebhookTestEvent'

function isOfResponses(contract: Contract, name: string): boolean {
  if (name === sentOnly) return false
  const bodies = contract.operations.map(({ body }) => body)
  const parts = bodies.flatMap((body) => contract.membersOf(body).map(([, part]) => part))
  return ![...bodies, ...parts].some((schema) => schema?.$ref?.split('/').at(-1) === name)
}
