import type { TestContext } from 'node:test'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgres } from './engines.ts'

export const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
export const till: NewApiKey = {
  id: 'key_till',
  name: 'till',
  permission: 'write',
  hash: 'hash of till',
  createdAt: 1_000,
}

/** The engine and the URL of its database, for what other programs do to it. */
export async function opened(t: TestContext): Promise<{ storage: Storage; url: string }> {
  const url = await postgres.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  return { storage, url }
}
