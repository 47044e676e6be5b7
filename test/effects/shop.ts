import type { Answer, TestApp } from '../support/app.ts'
import type { Contract, Operation, Schema } from './document.ts'

export type Item = Record<string, unknown>

/** What the checks of one document share. */
export interface Check {
  app: TestApp
  contract: Contract
  /** What was documented and has no effect, one sentence each. */
  missing: Set<string>
  /** Sends a request below /v1 and notes which documented members come back. */
  send(operation: Operation, path: string, sent?: Sent): Promise<Answer>
}

export interface Sent {
  body?: unknown
  headers?: Record<string, string>
}

/** Values that depend on the state of the shop. */
const freshValues: Record<string, (check: Check) => Promise<unknown[]>> = {
  // At most 24 hours from now, which is a time in the shop.
  'createInvitation.expiresAt': async (check) => {
    const { expiresAt } = await newInvitation(check)
    return [60_000, 120_000].map((earlierMs) => new Date(Date.parse(expiresAt) - earlierMs).toISOString())
  },
  'placeOrder.petId': async (check) => [await newPet(check), await newPet(check)],
}

export async function newPet({ app }: Check): Promise<number> {
  return ((await app.create({ name: 'Charlie', categoryId: 7, status: 'available' })).body as { id: number }).id
}

/** Returns its id. One of the animals is changed since. */
export async function newImport({ app }: Check, count: number): Promise<string> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const body = '{"name":"Charlie","categoryId":7}\n'.repeat(count)
  const { importId } = (await app.send('/v1/pets/import', { method: 'POST', headers, body })).body as {
    importId: string
  }
  const [last] = (await app.send('/v1/pets?sort=-id&limit=1')).body as [{ id: number }]
  await app.sendJson(`PATCH /v1/pets/${last.id}`, { name: 'Juliett' })
  return importId
}

async function newInvitation({ app }: Check): Promise<{ expiresAt: string; token: string }> {
  const { body } = await app.sendJson('POST /v1/invitations', { name: 'Anna', permission: 'read' })
  return body as { expiresAt: string; token: string }
}

export async function valuesFor(check: Check, { id }: Operation, member: string, schema: Schema): Promise<unknown[]> {
  return freshValues[`${id}.${member}`]?.(check) ?? check.contract.valuesOf(schema)
}

/** A valid body: the required members, and `more`. */
export async function bodyOf(check: Check, operation: Operation, more: Item = {}): Promise<Item> {
  const body: Item = {}
  for (const [name, schema] of check.contract.membersOf(operation.body)) {
    const isRequired = check.contract.resolve(operation.body as Schema).required?.includes(name)
    if (isRequired && !(name in more)) body[name] = (await valuesFor(check, operation, name, schema))[0]
  }
  return { ...body, ...more }
}

/** A valid request, apart from its path. */
export async function sentFor(check: Check, operation: Operation, headers: Record<string, string> = {}): Promise<Sent> {
  if (operation.id === 'importPets') {
    return { body: '{"name":"Rex","categoryId":1}\n', headers: { 'content-type': 'application/x-ndjson', ...headers } }
  }
  if (operation.id === 'bulkChangePets') {
    return { body: { filter: { ids: [await newPet(check)] }, change: { status: 'sold' } }, headers }
  }
  if (operation.id === 'redeemInvitation' || operation.id === 'getCurrentInvitation') {
    return { headers: { authorization: `Bearer ${(await newInvitation(check)).token}`, ...headers } }
  }
  return operation.body === undefined ? { headers } : { body: await bodyOf(check, operation), headers }
}

/** The operation that creates what the path of another one names: POST /pets for /pets/{petId}. */
export function creatorFor({ contract }: Check, { path }: Operation): Operation | undefined {
  return contract.operation('POST', path.split('/{', 1)[0] as string)
}

/** A new resource for an operation on one, and its path for this operation. */
export async function freshTarget(check: Check, operation: Operation): Promise<{ path: string; id: unknown }> {
  if (operation.id === 'undoImport') {
    const id = await newImport(check, 1)
    return { path: operation.path.replace('{importId}', id), id }
  }
  const creator = creatorFor(check, operation)
  if (creator === undefined || creator === operation) return { path: operation.path, id: undefined }
  const { body } = await check.send(creator, creator.path, { body: await bodyOf(check, creator) })
  const { id } = body as Item
  const path = operation.path.replace(/\{\w+\}/, String(id))
  return { path: path.replace('{deliveryId}', path.includes('{deliveryId}') ? await newTry(check, id) : ''), id }
}

/** A failed try of the first event, with all members that a try can have. No receiver is needed for it. */
async function newTry({ app }: Check, webhookId: unknown): Promise<string> {
  const event = { webhookId: BigInt(webhookId as number), eventId: 1n, type: 'petstore.pet.created', attempt: 1 }
  const response = { status: 500, durationMs: 2, responseStart: 'no' }
  return String(
    await app.storage.deliveries.addTry({ ...event, ...response, at: Date.now(), error: 'none', nextAttemptAt: 3 }),
  )
}

async function failFirstWebhook({ storage: { deliveries, webhooks } }: TestApp): Promise<void> {
  const lease = await deliveries.acquire('the process that delivers', 60_000)
  const endpoint = await webhooks.endpoint(1n)
  if (lease === undefined || endpoint === undefined) throw new Error('There is no webhook to fail.')
  const { startsAfter: eventId, activeSince: failingSince } = endpoint
  const positions = [{ webhookId: 1n, eventId, attempts: 1, failingSince }]
  await deliveries.record(lease, 60_000, { positions, tries: [] })
}

/**
 * Fills the shop with what the document describes: of everything that can be created, one with each value of each
 * member. So the items of a list differ in every member that a filter can have.
 */
export async function fillShop(check: Check): Promise<void> {
  for (const operation of check.contract.operations) {
    if (
      operation.method !== 'POST' ||
      operation.body === undefined ||
      operation.path.includes('{') ||
      operation.id === 'bulkChangePets'
    )
      continue
    for (const [name, schema] of check.contract.membersOf(operation.body)) {
      for (const value of await valuesFor(check, operation, name, schema)) {
        await check.send(operation, operation.path, { body: await bodyOf(check, operation, { [name]: value }) })
      }
    }
  }
  const { app } = check
  // What no create can give: closed orders, other authors, ended, used and replaced keys, deleted animals.
  await app.sendJson('PATCH /v1/store/orders/1', { status: 'completed' })
  await app.sendJson('PATCH /v1/store/orders/2', { status: 'cancelled' })
  const other = await app.makeKey({ id: 'key_other' })
  await app.create({ name: 'Delta', categoryId: 7 }, { authorization: `Bearer ${other.secret}` })
  await app.send('/v1/keys/key_other/revoke', { method: 'POST' })
  await app.makeKey({ id: 'key_replaced' })
  await app.sendJson('POST /v1/keys/key_replaced/rotate', {})
  await app.storage.keys.touch(new Map([['key_other', Date.now()]]))
  await app.send(`/v1/pets/${await newPet(check)}`, { method: 'DELETE' })
  await newTry(check, 1)
  await newTry(check, 1)
  await newImport(check, 1)
  await app.send(`/v1/pets/imports/${await newImport(check, 2)}/undo`, { method: 'POST' })
  await failFirstWebhook(app)
}
