import type { NewApiKey } from '../../src/inventory/keys.ts'

export const till: NewApiKey = {
  id: 'key_till',
  name: 'till',
  permission: 'write',
  hash: 'hash of till',
  createdAt: 1_000,
}
export const site: NewApiKey = {
  id: 'key_site',
  name: 'site',
  permission: 'read',
  hash: 'hash of site',
  createdAt: 2_000,
}
