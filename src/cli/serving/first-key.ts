import { newApiKey } from '../../inventory/key-secret.ts'
import type { Keys } from '../../inventory/keys.ts'
import type { Config } from '../shared/config.ts'

/** A new shop gets one key, which may do everything, unless the operator configured one. */
export async function issueFirstKey(keys: Keys, { apiKey, environment }: Config): Promise<string | undefined> {
  if (apiKey !== undefined || (await keys.list()).length > 0) return undefined
  const { secret, key } = newApiKey(environment, { name: 'first key', permission: 'admin', createdAt: Date.now() })
  await keys.create(key)
  return secret
}
