import type { Category } from '../../contract/category.ts'
import type { Order } from '../../contract/order.ts'
import type { Pet } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import type { ApiKey } from '../keys.ts'

/**
 * The facts that a rule may read, at the moment of its decision: they include all earlier decisions, and there is no
 * other writer until the changes are stored.
 */
export interface Facts {
  pet(id: bigint): Pet | undefined
  order(id: bigint): Order | undefined
  category(id: bigint): Category | undefined
  hasOpenOrder(petId: bigint): boolean
  /** Whether any pet has this category. */
  hasPets(categoryId: bigint): boolean
  /**
   * An id up to `maxNewCategoryId` that is at least as high as every id in that range that is in use, by a category
   * with a name or by a pet. Undefined if there is none.
   */
  highestCategoryId(): bigint | undefined
  /** The API key with this id, also if it is revoked or has expired. */
  key(id: string): ApiKey | undefined
  /** All admin keys that are not revoked; some may have expired. */
  adminKeys(): readonly ApiKey[]
  /** The stored response of this key, however old. */
  storedResponse(key: IdempotencyKey): StoredResponse | undefined
  /** One more than the highest id ever assigned. */
  nextPetId(): bigint
  nextOrderId(): bigint
}

/** The stored response to a request with an idempotency key. */
export interface StoredResponse {
  /** The fingerprint of the request. */
  fingerprint: string
  /** The JSON of what was created. */
  body: string
  /** Milliseconds since 1970. */
  at: number
}
