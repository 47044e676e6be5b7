import type { IdempotencyKey } from '../../../inventory/idempotency-key.ts'
import { maxNewCategoryId } from '../../../inventory/rules/create-category.ts'
import type { Loaded } from '../../../inventory/rules/loaded-facts.ts'
import type { Command, RuleName } from '../../../inventory/rules/rules.ts'
import { type CategoryRow, toCategory } from '../../shared/rows/category-row.ts'
import { type IdempotencyRow, toStoredResponse } from '../../shared/rows/idempotency-row.ts'
import { type KeyRow, toKey } from '../../shared/rows/key-row.ts'
import { type OrderRow, toOrder } from '../../shared/rows/order-row.ts'
import { type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import type { Result } from '../connection/database.ts'
import * as sql from './fact-statements.ts'
import type { BoundStatement } from '../connection/pipeline.ts'

/** A write that applies a rule of the shop. */
export type RuleRequest = { [Name in RuleName]: readonly [name: Name, command: Command<Name>] }[RuleName]

/** All facts for a group of writes, and the id of the last event. */
export interface GroupFacts extends Loaded {
  lastEventId: bigint
}

type CountersRow = [pets: bigint, orders: bigint, events: bigint]
type PetCountRow = [categoryId: bigint, pets: bigint]

/** The statements that load the facts of a group, and how to read their results. */
export interface FactsQuery {
  statements: readonly BoundStatement[]
  read(results: readonly Result[]): GroupFacts
}

export function factsOf(requests: readonly RuleRequest[]): FactsQuery {
  const { petIds, orderIds, categoryIds, emptiedIds, addsCategory, keyIds, idempotencyKeys } = subjectsOf(requests)
  const subjects = [[...petIds], [...orderIds]]
  const hasSubjects = petIds.size + orderIds.size > 0
  const queries = {
    counters: [sql.counters] as BoundStatement,
    ...(hasSubjects && { pets: [sql.pets, subjects] as const, orders: [sql.orders, subjects] as const }),
    ...(categoryIds.size > 0 && { categories: [sql.categories, [[...categoryIds]]] as const }),
    ...(emptiedIds.size > 0 && { petCounts: [sql.petCounts, [[...emptiedIds]]] as const }),
    ...(addsCategory && { highestCategory: [sql.highestCategory, [maxNewCategoryId]] as const }),
    ...(keyIds !== undefined && { keys: [sql.keys, [[...keyIds]]] as const }),
    ...(idempotencyKeys.length > 0 && {
      responses: [
        sql.responses,
        [idempotencyKeys.map(({ keyId }) => keyId), idempotencyKeys.map(({ name }) => name)],
      ] as const,
    }),
  }
  const names = Object.keys(queries)
  return {
    statements: Object.values(queries),
    read(results) {
      const rowsOf = (name: keyof typeof queries) => results[names.indexOf(name)]?.rows ?? []
      const [[highestCategoryId] = [null]] = rowsOf('highestCategory') as [bigint | null][]
      const [[lastPetId, lastOrderId, lastEventId]] = rowsOf('counters') as [CountersRow]
      return {
        lastPetId,
        lastOrderId,
        lastEventId,
        pets: (rowsOf('pets') as PetRow[]).map(toPet),
        orders: (rowsOf('orders') as OrderRow[]).map(toOrder),
        categories: (rowsOf('categories') as CategoryRow[]).map(toCategory),
        petCounts: (rowsOf('petCounts') as PetCountRow[]).map(([categoryId, pets]) => ({ categoryId, pets })),
        highestCategoryId: highestCategoryId ?? undefined,
        keys: (rowsOf('keys') as KeyRow[]).flatMap((row) =>
          // Other admin keys than those that are changed.
          keyIds?.has(row[0]) ? [toKey(row)] : decodeReadable([row], toKey),
        ),
        responses: (rowsOf('responses') as IdempotencyRow[]).map((row) => ({
          key: { keyId: row[0], name: row[1] },
          response: toStoredResponse(row),
        })),
      }
    },
  }
}

/** The subjects of a group. Writes with the same subject load it once. */
function subjectsOf(requests: readonly RuleRequest[]) {
  const petIds = new Set<bigint>()
  const orderIds = new Set<bigint>()
  const categoryIds = new Set<bigint>()
  /** Categories that nobody may use when they are removed. */
  const emptiedIds = new Set<bigint>()
  let addsCategory = false
  /** Undefined if no API key is changed. */
  let keyIds: Set<string> | undefined
  const idempotencyKeys: IdempotencyKey[] = []
  for (const [name, command] of requests) {
    if (name === 'updatePet' || name === 'removePet') petIds.add(command.id)
    else if (name === 'placeOrder') petIds.add(command.order.petId)
    else if (name === 'updateOrder') orderIds.add(command.id)
    else if (name === 'putCategory') categoryIds.add(command.category.id)
    else if (name === 'createCategory') addsCategory = true
    else if (name === 'removeCategory') {
      categoryIds.add(command.id)
      emptiedIds.add(command.id)
    } else if (name === 'createKey' || name === 'revokeKey' || name === 'rotateKey') {
      keyIds ??= new Set()
      keyIds.add(command.id)
      if (command.by !== undefined) keyIds.add(command.by)
    }
    if ('idempotencyKey' in command) idempotencyKeys.push(command.idempotencyKey)
  }
  return { petIds, orderIds, categoryIds, emptiedIds, addsCategory, keyIds, idempotencyKeys }
}
