import type { Category } from '../../contract/category.ts'
import type { Order } from '../../contract/order.ts'
import type { Pet } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'

/**
 * What a rule may ask. Every answer is that of the moment of the decision: it includes all changes that were decided
 * before, and nobody else writes until the changes of this decision are stored.
 */
export interface Facts {
  pet(id: bigint): Pet | undefined
  order(id: bigint): Order | undefined
  category(id: bigint): Category | undefined
  hasOpenOrder(petId: bigint): boolean
  /** What the key's API key was answered under its name, however long ago. */
  answerTo(key: IdempotencyKey): Answer | undefined
  /** One more than the highest that was ever given. */
  nextPetId(): bigint
  nextOrderId(): bigint
}

/** What is stored of a request that had an idempotency key. */
export interface Answer {
  /** That of the key which the request had. */
  fingerprint: string
  /** The wire form of what was created. */
  body: string
  /** Milliseconds since 1970. */
  at: number
}
