import type { IdempotencyKey } from '../idempotency-key.ts'
import type { ApiKey } from '../keys.ts'
import type { CountedTable, Resource, ResourceTable } from '../tables.ts'

/**
 * The facts that a rule may read, at the moment of its decision: they include all earlier decisions, and there is no
 * other writer until the changes are stored.
 */
export interface Facts {
  /** The resource with this id. The rule names it in its needs. */
  find<Table extends ResourceTable>(table: Table, id: bigint): Resource<Table> | undefined
  /** One more than the highest id ever assigned. */
  nextId(table: CountedTable): bigint
  /** The id of the latest event, also if it was deleted. 0 before the first. */
  lastEventId(): bigint
  /** The id of the oldest event that is kept, one above the latest if there is none. The rule names it in its needs. */
  oldestEventId(): bigint
  /** Whether a pet was changed or ordered since it was added, as far as events are kept. The rule names it in its needs. */
  isChanged(petId: bigint): boolean
  /** How many rows the table has. The rule names it in its needs: counting reads all of them. */
  countRows(table: CountedRows): number
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
}

/** The tables that are small enough to count their rows. */
export type CountedRows = 'webhooks'

/**
 * What a rule needs of the facts, besides the stored response of its idempotency key and the next ids. An engine that
 * loads facts before it decides loads these.
 */
export interface Needs {
  /** The ids of resources. An order comes with its pet, and a pet with its open order. */
  resources?: Partial<Record<ResourceTable, readonly bigint[]>>
  /** The categories that `hasPets` is asked for. */
  emptyCategories?: readonly bigint[]
  highestCategoryId?: boolean
  oldestEventId?: boolean
  /** The pets that `isChanged` is asked for. */
  changedPets?: readonly bigint[]
  /** The tables that `countRows` is asked for. */
  rowCounts?: readonly CountedRows[]
  /** The ids of API keys. Those that replaced them, and all admin keys, come with them. */
  keys?: readonly string[]
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
