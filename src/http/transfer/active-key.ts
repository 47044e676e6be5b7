import type { Clock } from '../../inventory/clock.ts'
import { type ApiKey, type Keys, keyState } from '../../inventory/keys.ts'
import { unauthorized } from '../replies/challenge.ts'

/** For requests that take long: throws once the key does not work any more. */
export type RequireActiveKey = (key: ApiKey) => Promise<void>

export function activeKeys(keys: Keys, clock: Clock): RequireActiveKey {
  return async (key) => {
    // A key of the settings is not stored.
    const [current = key] = await keys.findByIds([key.id])
    if (keyState(current, clock()) !== 'active') throw unauthorized()
  }
}
