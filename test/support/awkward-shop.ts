import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodeAuthor } from '../../src/contract/event.ts'
import type { NewOrder } from '../../src/contract/order.ts'
import type { NewPet } from '../../src/contract/pet.ts'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { commandLineKeyId } from '../../src/inventory/rules/idempotency.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'

/** Names that are easily damaged between two databases. */
export const awkwardNames = [
  'Rex',
  ' leading and trailing ',
  'tab\there',
  'line\nfeed\r\nand return\r',
  '\\N',
  '\\.',
  'back\\slash \\n \\t \\\\',
  '\b\f\v\u001b\u007f',
  'quotes " \' `',
  '{"json":true}',
  'NULL',
  '-,3:abc,',
  'é is not e\u0301',
  '🐇👩‍👩‍👧',
  '\u{10ffff}\u{ffff}\ufeff',
  '\u202eabc\u202c',
  '\u0085\u2028\u2029x',
  'x'.repeat(1000),
  '🐇'.repeat(1000),
]

export const unfinishedImport = { keyId: commandLineKeyId, name: 'a'.repeat(64) }

/** Fills an empty database with rows of every kind and closes it. The highest assigned ids are not in use. */
export async function fillShop(url: string, clock: () => number = Date.now): Promise<void> {
  const storage = await openStorage(url, { clock, environment: 'production' })
  await addPets(storage)
  await addOrders(storage)
  await addKeys(storage)
  await addWebhooks(storage)
  await addInvitations(storage, clock())
  for (const id of [int64Min, -1n, 0n, 7n, int64Max]) await storage.categories.put({ id, name: `category ${id}\t\\` })
  await storage.imports.add([{ name: 'Ada', categoryId: 1n }], () => ({
    key: { ...unfinishedImport, fingerprint: 'f' },
    before: undefined,
    body: '{"rows":5000}',
  }))
  await addImports(storage)
  await storage.pets.remove(await newPet(storage, { name: 'gone', categoryId: 1n }))
  await storage.close()
}

/** Adds many animals with an event each. */
export async function addMany(url: string, count: number): Promise<void> {
  const storage = await openStorage(url)
  const pets = Array.from({ length: count }, (_none, index) => ({ name: `pet ${index + 1}`, categoryId: 1n }))
  await storage.imports.add(pets)
  await storage.close()
}

async function addPets(storage: Storage): Promise<void> {
  for (const name of awkwardNames) {
    const idempotencyKey = { keyId: 'key_1', name: `create ${name}`, fingerprint: 'f' }
    await storage.pets.create({ name, categoryId: 1n }, idempotencyKey, encodeAuthor({ keyId: 'key_1', keyName: name }))
  }
  for (const categoryId of [int64Min, -1n, 0n, 9_007_199_254_740_993n, int64Max]) {
    await storage.pets.create({ name: 'Kiwi', categoryId, status: 'sold' })
  }
  // Byte order differs from the order of a language and of UTF-16.
  for (const name of ['B', 'a', 'Z', 'ä', '~', '\u{10000}', '\uffff', '1', '10', '2']) {
    for (const keyId of ['key_2', 'Key_2', ''])
      await storage.pets.create({ name, categoryId: 2n }, { keyId, name, fingerprint: '' })
  }
}

async function addOrders(storage: Storage): Promise<void> {
  for (const closing of ['completed', 'cancelled', undefined] as const) await addOrder(storage, {}, closing)
  for (const text of awkwardNames) await addOrder(storage, { customer: cut(text, 200), note: cut(`\t${text}`, 1000) })
  await addOrder(storage, { customer: 'Ada' })
  await addOrder(storage, { note: 'Saturday' }, 'completed')
}

async function addOrder(
  storage: Storage,
  texts: Omit<NewOrder, 'petId'>,
  status?: 'completed' | 'cancelled',
): Promise<void> {
  const petId = await newPet(storage, { name: 'Mia', categoryId: 3n, status: 'available' })
  const key = { keyId: 'key_1', name: `order ${petId}`, fingerprint: 'o' }
  const placement = await storage.orders.place({ petId, ...texts }, key)
  if (placement.outcome !== 'placed') throw new Error(placement.outcome)
  if (status !== undefined) await storage.orders.update(placement.order.id, { status })
}

async function addKeys({ keys }: Storage): Promise<void> {
  // Created at the same time: only the order of insertion tells which was first.
  for (const id of ['key_z', 'key_a', 'key_m']) {
    await keys.create({ id, name: `\t${id} 🔑`, permission: 'write', hash: keyHash(id), createdAt: 1_000 })
  }
  await keys.create({
    id: 'key_r',
    name: 'r',
    permission: 'read',
    hash: keyHash('r'),
    createdAt: 500,
    expiresAt: 4_102_444_800_000,
  })
  await keys.revoke('key_a', 2_000)
  await keys.touch(new Map([['key_z', 1_799_999_999_999]]))
}

async function addWebhooks({ webhooks }: Storage): Promise<void> {
  await webhooks.create({
    url: 'https://127.0.0.1.example.com/',
    types: ['petstore.pet.created', 'petstore.pet.deleted'],
  })
  for (const text of awkwardNames) await webhooks.create({ url: 'https://example.com/?a=%00', description: text })
  await webhooks.rotate(1n)
  await webhooks.disable(2n, 'gone')
  await webhooks.remove(BigInt(awkwardNames.length + 1))
}

async function addImports({ imports }: Storage): Promise<void> {
  const part = { name: 'spring', keyId: 'key_z', keyName: '\tkey 🔑', rejected: 3, isLast: false }
  const pets = [{ name: 'Ada', categoryId: 1n }]
  await imports.add(pets, undefined, undefined, undefined, () => part)
  for (const name of ['summer', 'Summer-2', 'spring_3']) {
    const last = { ...part, name, isLast: true, digest: `digest of ${name}` }
    await imports.add([...pets, ...pets], undefined, undefined, undefined, () => last)
  }
  await imports.undo({ name: 'Summer-2', after: 0n })
}

async function addInvitations({ invitations }: Storage, now: number): Promise<void> {
  for (const text of awkwardNames) {
    const [name, expiresAt] = [cut(text, 100), now + 3_600_000]
    await invitations.create({ name, permission: 'write', hash: keyHash(`invited ${text}`), expiresAt }, 'key_z')
  }
  await invitations.create({ name: 'Anna', permission: 'admin', hash: keyHash('Anna'), expiresAt: now + 1 })
  await invitations.remove(BigInt(awkwardNames.length + 1))
}

async function newPet(storage: Storage, pet: NewPet): Promise<bigint> {
  const creation = await storage.pets.create(pet)
  if (creation.outcome !== 'created') throw new Error(creation.outcome)
  return creation.pet.id
}

/** The first characters of a text. */
function cut(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('')
}
