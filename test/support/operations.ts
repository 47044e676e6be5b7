import type { TestContext } from 'node:test'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { startApp, type TestApp } from './app.ts'

/** A valid request for each operation, for the shop of `startShop`. A body is JSON unless another type is given. */
export const requests: Record<string, [start: string, body?: string, type?: string]> = {
  listPets: ['GET /v1/pets'],
  createPet: ['POST /v1/pets', '{"name":"Rex","categoryId":1,"status":"available"}'],
  getPet: ['GET /v1/pets/1'],
  updatePet: ['PATCH /v1/pets/1', '{"name":"Tom"}'],
  deletePet: ['DELETE /v1/pets/1'],
  bulkChangePets: ['POST /v1/pets/bulk', '{"filter":{"ids":[1]},"change":{"status":"sold"}}'],
  importPets: ['POST /v1/pets/import', '{"name":"Rex","categoryId":1}\n', 'application/x-ndjson'],
  exportPets: ['GET /v1/pets/export'],
  listImports: ['GET /v1/pets/imports'],
  undoImport: ['POST /v1/pets/imports/spring/undo'],
  listOrders: ['GET /v1/store/orders'],
  getOrder: ['GET /v1/store/orders/1'],
  placeOrder: ['POST /v1/store/orders', '{"petId":1}'],
  exportOrders: ['GET /v1/store/orders/export'],
  updateOrder: ['PATCH /v1/store/orders/1', '{"status":"completed"}'],
  getInventory: ['GET /v1/store/inventory'],
  listDays: ['GET /v1/store/days'],
  listCategories: ['GET /v1/categories'],
  createCategory: ['POST /v1/categories', '{"name":"Dogs"}'],
  getCategory: ['GET /v1/categories/1'],
  putCategory: ['PUT /v1/categories/1', '{"name":"Dogs"}'],
  deleteCategory: ['DELETE /v1/categories/2'],
  listEvents: ['GET /v1/events'],
  listKeys: ['GET /v1/keys'],
  createKey: ['POST /v1/keys', '{"name":"web shop"}'],
  getKey: ['GET /v1/keys/key_other'],
  updateKey: ['PATCH /v1/keys/key_other', '{"name":"web shop"}'],
  revokeKey: ['POST /v1/keys/key_other/revoke'],
  rotateKey: ['POST /v1/keys/key_other/rotate', '{"replacedKeyExpiresAt":"2099-01-01T00:00:00Z"}'],
  listInvitations: ['GET /v1/invitations'],
  createInvitation: ['POST /v1/invitations', '{"name":"Anna","permission":"write"}'],
  getInvitation: ['GET /v1/invitations/1'],
  deleteInvitation: ['DELETE /v1/invitations/1'],
  getCurrentInvitation: ['GET /v1/invitations/current'],
  redeemInvitation: ['POST /v1/invitations/redeem'],
  listWebhooks: ['GET /v1/webhooks'],
  createWebhook: ['POST /v1/webhooks', '{"url":"https://example.com/hook"}'],
  getWebhook: ['GET /v1/webhooks/1'],
  updateWebhook: ['PATCH /v1/webhooks/1', '{"enabled":false}'],
  deleteWebhook: ['DELETE /v1/webhooks/1'],
  rotateWebhook: ['POST /v1/webhooks/1/rotate'],
  testWebhook: ['POST /v1/webhooks/1/test'],
  listDeliveries: ['GET /v1/webhooks/1/deliveries'],
  resendDelivery: ['POST /v1/webhooks/1/deliveries/1/resend'],
}

/** The token of the invitation 2. */
export const invitationToken = 'pet_invite_EXAMPLE'

/** The headers of a valid request, if it needs anything else than the admin key. */
export function credentialFor(id: string): { authorization?: string } {
  return id === 'redeemInvitation' || id === 'getCurrentInvitation'
    ? { authorization: `Bearer ${invitationToken}` }
    : {}
}

/**
 * A shop with two animals of category 1. The second has an open order, 1. No animal has category 2. There is another
 * key, its import `spring`, which has added nothing, the invitations 1 and 2, and the webhook 1, to which the first event
 * was sent. Its address is refused at once when something is sent.
 */
export async function startShop(t: TestContext, options: Parameters<typeof startApp>[1] = {}): Promise<TestApp> {
  const app = await startApp(t, options)
  for (const name of ['Rex', 'Tom']) await app.storage.pets.create({ name, categoryId: 1n, status: 'available' })
  await app.storage.orders.place({ petId: 2n })
  await app.storage.categories.put({ id: 1n, name: 'Cats' })
  await app.storage.categories.put({ id: 2n, name: 'Fish' })
  await app.makeKey({ id: 'key_other' })
  const expiresAt = (options.clock ?? Date.now)() + 3_600_000
  for (const token of ['other', invitationToken]) {
    await app.storage.invitations.create({ name: 'Anna', permission: 'write', hash: keyHash(token), expiresAt })
  }
  const part = { name: 'spring', keyId: 'key_other', keyName: 'test', rejected: 0, isLast: true }
  await app.storage.imports.add([], undefined, undefined, undefined, () => part)
  await app.storage.webhooks.create({ url: 'https://10.0.0.1/hook' })
  const event = { webhookId: 1n, eventId: 1n, type: 'petstore.pet.created' }
  await app.storage.deliveries.addTry({ ...event, at: Date.now(), attempt: 1, status: 204, durationMs: 5 })
  return app
}
