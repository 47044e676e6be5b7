import { type Answer, rawRequest, readAnswers, type TestApp } from './app.ts'
import { credentialFor, requests } from './operations.ts'

export const stabilities: Record<string, 'beta' | 'experimental' | null> = {
  listPets: null,
  createPet: null,
  getPet: null,
  updatePet: 'beta',
  deletePet: 'beta',
  bulkChangePets: 'experimental',
  importPets: 'experimental',
  exportPets: 'experimental',
  listImports: 'experimental',
  undoImport: 'experimental',
  listOrders: 'beta',
  getOrder: 'beta',
  getInventory: 'beta',
  listDays: 'experimental',
  placeOrder: 'experimental',
  updateOrder: 'experimental',
  exportOrders: 'experimental',
  listCategories: 'experimental',
  createCategory: 'experimental',
  getCategory: 'experimental',
  putCategory: 'experimental',
  deleteCategory: 'experimental',
  listEvents: 'experimental',
  listKeys: 'experimental',
  createKey: 'experimental',
  getKey: 'experimental',
  updateKey: 'experimental',
  revokeKey: 'experimental',
  rotateKey: 'experimental',
  listInvitations: 'experimental',
  createInvitation: 'experimental',
  getInvitation: 'experimental',
  deleteInvitation: 'experimental',
  getCurrentInvitation: 'experimental',
  redeemInvitation: 'experimental',
  listWebhooks: 'experimental',
  createWebhook: 'experimental',
  getWebhook: 'experimental',
  updateWebhook: 'experimental',
  deleteWebhook: 'experimental',
  rotateWebhook: 'experimental',
  testWebhook: 'experimental',
  listDeliveries: 'experimental',
  resendDelivery: 'experimental',
}

export async function ask(app: TestApp, id: string, headers: readonly string[] = [], body?: string): Promise<Answer> {
  const [start, proper = '', type = 'application/json'] = requests[id] as [string, string?, string?]
  const usual = [
    'Host: petstore',
    'Connection: close',
    ...(headers.some(isKey) ? [] : [`Authorization: ${credentialFor(id).authorization ?? `Bearer ${app.key}`}`]),
  ]
  const sent = body ?? proper
  const raw = await app.sendRaw(
    rawRequest(start, [...usual, ...headers, ...(sent === '' ? [] : [`Content-Type: ${type}`])], sent),
  )
  return readAnswers(raw)[0] as Answer
}

export function isKey(header: string): boolean {
  return header.startsWith('Authorization')
}
