import type { IdempotencyKey } from '../../../inventory/idempotency-key.ts'
import { maxNewCategoryId } from '../../../inventory/rules/create-category.ts'
import type { CountedRows, Needs } from '../../../inventory/rules/facts.ts'
import type { Loaded, LoadedResources } from '../../../inventory/rules/loaded-facts.ts'
import { type Command, type RuleName, rules } from '../../../inventory/rules/rules.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import {
  type CounterName,
  counterNames,
  forEachResource,
  type ResourceTable,
  resourceTables,
} from '../../../inventory/tables.ts'
import { type IdempotencyRow, toStoredResponse } from '../../shared/rows/idempotency-row.ts'
import { type KeyRow, toKey } from '../../shared/rows/key-row.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import type { BoundStatement, Result } from '../connection/statement.ts'
import * as sql from './fact-statements.ts'

/** A write that applies a rule of the shop. */
export type RuleRequest = { [Name in RuleName]: readonly [name: Name, command: Command<Name>] }[RuleName]

/** All facts for a group of writes. */
export interface GroupFacts extends Loaded {
  lastIds: Record<CounterName, bigint>
}

type PetCountRow = [categoryId: bigint, pets: bigint]

/** The statements that load the facts of a group, and how to read their results. */
export interface FactsQuery {
  statements: readonly BoundStatement[]
  read(results: readonly Result[]): GroupFacts
}

export function factsOf(requests: readonly RuleRequest[]): FactsQuery {
  const { ids, emptyCategories, addsCategory, rowCounts, keyIds, idempotencyKeys, changedPets, ...needs } =
    needsOf(requests)
  const queries = {
    counters: [sql.counters] as BoundStatement,
    ...Object.fromEntries(resourceTables.flatMap((table) => loadOf(table, ids))),
    ...(emptyCategories.size > 0 && { petCounts: [sql.petCounts, [[...emptyCategories]]] as const }),
    ...(addsCategory && { highestCategory: [sql.highestCategory, [maxNewCategoryId]] as const }),
    ...Object.fromEntries([...rowCounts].map((table) => [countOf(table), [sql.rowCounts[table]] as const])),
    ...(needs.oldestEventId && { oldestEvent: [sql.oldestEvent] as const }),
    ...(changedPets.length > 0 && { changedPets: [sql.changedPets, [changedPets]] as const }),
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
      const rowsOf = (name: string) => results[names.indexOf(name)]?.rows ?? []
      const [[highestCategoryId] = [null]] = rowsOf('highestCategory') as [bigint | null][]
      const [lastIds] = rowsOf('counters') as bigint[][]
      return {
        lastIds: Object.fromEntries(
          counterNames.map((name, index) => [name, lastIds?.[index]]),
        ) as GroupFacts['lastIds'],
        ...(forEachResource((table) => readRows(table, rowsOf(table) as Row[])) as LoadedResources),
        isNeeded: (table, id) => ids[table].has(id),
        petCounts: (rowsOf('petCounts') as PetCountRow[]).map(([categoryId, pets]) => ({ categoryId, pets })),
        highestCategoryId: highestCategoryId ?? undefined,
        oldestEventId: (rowsOf('oldestEvent') as [bigint][])[0]?.[0],
        changedPets: (rowsOf('changedPets') as [bigint][]).map(([id]) => id),
        rowCounts: Object.fromEntries(
          [...rowCounts].map((table) => [table, Number((rowsOf(countOf(table)) as [[bigint]])[0][0])]),
        ),
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

/** The name of the query that counts the rows of a table. */
function countOf(table: CountedRows): string {
  return `count of ${table}`
}

function readRows(table: ResourceTable, rows: readonly Row[]): unknown[] {
  return rows.map((row) => resourceRows[table].toItem(row))
}

type Ids = Record<ResourceTable, ReadonlySet<bigint>>

/** Pets and orders are loaded with each other. */
function loadOf(table: ResourceTable, ids: Ids): [ResourceTable, BoundStatement][] {
  const wanted = table === 'pets' || table === 'orders' ? [ids.pets, ids.orders] : [ids[table]]
  if (wanted.every(({ size }) => size === 0)) return []
  return [[table, [sql.load[table], wanted.map((each) => [...each])]]]
}

/** The needs of a group. What several writes need is loaded once. */
function needsOf(requests: readonly RuleRequest[]) {
  const ids = forEachResource(() => new Set<bigint>())
  const emptyCategories = new Set<bigint>()
  let addsCategory = false
  const rowCounts = new Set<CountedRows>()
  /** Undefined if no API key is changed. */
  let keyIds: Set<string> | undefined
  const idempotencyKeys: IdempotencyKey[] = []
  let oldestEventId = false
  const changedPets: bigint[] = []
  for (const [name, command] of requests) {
    const needs = (rules[name].needs as (command: unknown) => Needs)(command)
    for (const table of resourceTables) for (const id of needs.resources?.[table] ?? []) ids[table].add(id)
    for (const id of needs.emptyCategories ?? []) emptyCategories.add(id)
    addsCategory ||= needs.highestCategoryId ?? false
    oldestEventId ||= needs.oldestEventId ?? false
    changedPets.push(...(needs.changedPets ?? []))
    for (const table of needs.rowCounts ?? []) rowCounts.add(table)
    if (needs.keys !== undefined) keyIds = new Set([...(keyIds ?? []), ...needs.keys])
    if ('idempotencyKey' in command && command.idempotencyKey !== undefined) {
      idempotencyKeys.push(command.idempotencyKey)
    }
  }
  return { ids, emptyCategories, addsCategory, rowCounts, keyIds, idempotencyKeys, oldestEventId, changedPets }
}
