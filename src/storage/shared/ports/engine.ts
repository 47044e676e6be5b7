import type { IdSort } from '../../../contract/parameters.ts'
import type { Caller } from '../../../inventory/caller.ts'
import type { Clock } from '../../../inventory/clock.ts'
import type { Page } from '../../../inventory/page.ts'
import type { Command, Outcome, RuleName } from '../../../inventory/rules/rules.ts'
import type { Resource, ResourceTable } from '../../../inventory/tables.ts'
import type { ValueFilter } from '../reads/filters.ts'
import type { OrderProposals } from '../reads/find-orders.ts'
import type { SearchBudget } from '../reads/find-by-name.ts'

/** What an engine does for the ports that are the same on every engine. */
export interface Engine {
  /** Undefined if no row has this id. */
  find<Table extends ReadTable>(table: Table, id: bigint): Promise<Resource<Table> | undefined>
  /** At most `limit` rows by id: the first of all, or those of `from`. */
  list<Table extends ReadTable>(table: Table, limit: number, from?: ListStart): Promise<Page<Resource<Table>>>
  /** The id of the oldest event that is kept, one above the latest if there is none. */
  oldestEventId(): Promise<bigint>
  /** For the search of orders. */
  orderProposals: OrderProposals
  /** Lets `read` read one committed state several times. */
  atOneState<Result>(read: (state: StateReads) => Promise<Result>, caller?: Caller): Promise<Result>
  /** Applies a rule. Resolves when its changes are on disk. */
  write<Name extends RuleName>(name: Name, command: Command<Name>): Promise<Outcome<Name>>
  clock: Clock
  searchBudget?: SearchBudget | undefined
}

/** Reads of one state. */
export type StateReads = Pick<Engine, 'list' | 'oldestEventId' | 'orderProposals'>

/** Pets have ports of their own in each engine, with more ways to read them. */
export type ReadTable = Exclude<ResourceTable, 'pets'>

export interface ListStart {
  /** The id before the page. Where ids are counted, 0 for the first page. */
  after: bigint
  /** Default `id`. */
  sort?: IdSort | undefined
  /** Values of the members that the resource is filtered by. */
  filter?: ValueFilter
}
