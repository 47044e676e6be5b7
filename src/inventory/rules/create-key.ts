import { type KeyAdmin, type KeyCreation, keyState, type NewApiKey } from '../keys.ts'
import { mayChangeKeys } from './admin-keys.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface CreateKey extends NewApiKey {
  by?: KeyAdmin | undefined
}

/** An admin may make a key of any permission that has not expired yet. */
export function createKey(facts: Facts, { by, ...key }: CreateKey): Decision<KeyCreation> {
  if (!mayChangeKeys(facts, by, key.createdAt)) return unchanged({ outcome: 'unauthorized' })
  if (by !== undefined && keyState(key, key.createdAt) === 'expired') return unchanged({ outcome: 'expired' })
  return changed({ outcome: 'created' }, [{ type: 'key.created', key }])
}
