import { keyHash } from '../../src/inventory/key-secret.ts'
import type { Storage } from '../../src/inventory/storage.ts'

/** When the shop was filled, and when most variations are played. */
export const now = Date.parse('2027-01-31T12:00:00Z')

/**
 * The shop of the corpus. The requests of test/support/operations.ts are valid in it. Each key's secret is its name, and
 * so is the token of an invitation.
 */
export async function fillShop(storage: Storage): Promise<void> {
  const { pets, orders, categories, keys, invitations, webhooks, deliveries } = storage
  const day = 24 * 60 * 60 * 1000
  for (const permission of ['admin', 'write', 'read'] as const) await makeKey(permission, { permission })
  await makeKey('other', {})
  await makeKey('expired', { expiresAt: now - day })
  await makeKey('revoked', {})
  await keys.revoke('key_revoked', now)

  await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Tom', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Zoë 🐕', categoryId: 3n, status: 'sold' })
  await pets.create({ name: 'No "status"', categoryId: 9_223_372_036_854_775_807n })
  for (let count = 1; count <= 18; count++) {
    await pets.create({ name: `Fish ${count}`, categoryId: 5n, status: 'available' })
  }
  await orders.place({ petId: 2n, customer: 'Ann', note: 'Calls “soon”' })
  await categories.put({ id: 1n, name: 'Cats' })
  await categories.put({ id: 2n, name: 'Fish' })
  for (const name of ['uninvited', 'invited']) {
    const expiresAt = now + day / 2
    await invitations.create({ name, permission: 'read', hash: keyHash(name), expiresAt }, 'key_admin')
  }
  // Disabled, and not public: no service of a test sends anything to others.
  await webhooks.create({ url: 'https://10.0.0.1/hook', types: ['petstore.pet.created'], description: 'Zoë 🐕' })
  await webhooks.disable(1n, 'gone')
  // Old tries are forgotten, by the real time.
  const later = Date.parse('2099-01-31T12:00:00Z')
  const sent = { webhookId: 1n, eventId: 1n, type: 'petstore.pet.created', at: later, attempt: 1, durationMs: 5 }
  await deliveries.addTry({ ...sent, status: 503, responseStart: 'Zoë "busy"', nextAttemptAt: later + 5_000 })
  await deliveries.addTry({ ...sent, eventId: 9_000n, error: 'ECONNREFUSED' })

  async function makeKey(name: string, facts: { permission?: 'admin' | 'write' | 'read'; expiresAt?: number }) {
    const hash = keyHash(name)
    await keys.create({ id: `key_${name}`, name, permission: 'write', hash, createdAt: now - 2 * day, ...facts })
  }
}
