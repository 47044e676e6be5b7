import type { DatabaseSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import type { Pet } from '../../../contract/pet.ts'
import type { CountedFilter, PetFilter, StatusFilter } from '../../../inventory/pets.ts'
import { hasId, ifMatching } from '../../shared/reads/filters.ts'
import { boundOf } from '../../shared/reads/page.ts'
import { petColumns, type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { prepareRows } from '../connection/database.ts'
import { prepareLists } from './lists.ts'
import { prepareJsonPages, type ReadJsonPage } from './pet-json.ts'
import { inlineColumns, type InlinePetRow, type WholePets, wholePets } from './whole-pets.ts'

/** The reads of pets on one connection. Each is made at once: together in one step they see one snapshot. */
export interface PetReads extends WholePets {
  find(id: bigint): Pet | undefined
  /** `ids` are left to those who read them. */
  count(filter: CountedFilter): bigint
  listById(filter: PetFilter, sort: IdSort, after: bigint, limit: number): InlinePetRow[]
  listJson: ReadJsonPage
}

const ofConnections = new WeakMap<DatabaseSync, PetReads>()

export function petReadsOn(db: DatabaseSync): PetReads {
  const known = ofConnections.get(db)
  if (known !== undefined) return known
  const reads = prepareReads(db)
  ofConnections.set(db, reads)
  return reads
}

function prepareReads(db: DatabaseSync): PetReads {
  const lists = prepareLists<InlinePetRow>(db, inlineColumns)
  const one = prepareRows<PetRow>(db, `SELECT ${petColumns} FROM pets WHERE id = ?`)
  const totals = prepareRows<CountsRow>(db, 'SELECT available, pending, sold, none FROM pet_totals')
  const totalsOfCategory = prepareRows<CountsRow>(
    db,
    'SELECT available, pending, sold, none FROM category_counts WHERE category_id = ?',
  )

  function find(id: bigint): Pet | undefined {
    const row = one.get(id)
    return row === undefined ? undefined : toPet(row)
  }

  return {
    ...wholePets(db),
    find,
    listJson: prepareJsonPages(db),
    count(filter) {
      if (hasId(filter)) return ifMatching(filter, find(filter.id)) === undefined ? 0n : 1n
      const { status, categoryId, id: _id, ids: _ids, ...others } = filter
      // The compiler refuses a filter that is not counted here.
      others satisfies Record<string, never>
      const row = categoryId === undefined ? totals.get() : totalsOfCategory.get(categoryId)
      return row === undefined ? 0n : countOf(row, status)
    },
    listById(filter, sort, after, limit) {
      const { statement, values } = lists[sort](filter)
      return statement.all(...values, boundOf(sort, after), limit)
    },
  }
}

type CountsRow = [available: bigint, pending: bigint, sold: bigint, none: bigint]

function countOf([available, pending, sold, none]: CountsRow, status: StatusFilter | undefined): bigint {
  return status === undefined ? available + pending + sold + none : { available, pending, sold, none }[status]
}
