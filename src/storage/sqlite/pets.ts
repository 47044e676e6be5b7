import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isByName, type Pet, type PetStatus } from '../../contract/pet.ts'
import type { Page } from '../../inventory/page.ts'
import type { PetFilter, Pets } from '../../inventory/pets.ts'
import type { Clock } from '../../inventory/clock.ts'
import { prepareRows, readsOf } from './database.ts'
import { choosePets, hasId, type PetStatements, within } from '../shared/filters.ts'
import { ascending, boundOf, descending, type Direction, inHistory, lastOfPage, toPage } from '../shared/page.ts'
import { petColumns, type PetRow, toPet } from '../shared/pet-row.ts'
import { sqliteInventory } from './inventory.ts'
import type { JudgePage } from './lineage.ts'
import { sqlitePetsByName } from './pets-by-name.ts'
import type { Writer } from './writer.ts'

export function sqlitePets(reader: DatabaseSync, judge: JudgePage, writer: Writer, clock: Clock): Pets {
  const read = readsOf(reader)
  const lists = { id: prepareLists(reader, ascending), '-id': prepareLists(reader, descending) }
  const one = prepareRows(reader, `${columns} WHERE id = ?`)

  const totals = prepareRows(reader, 'SELECT available, pending, sold, none FROM pet_totals')
  const totalsOfCategory = prepareRows(
    reader,
    'SELECT available, pending, sold, none FROM category_counts WHERE category_id = ?',
  )

  function find(id: bigint): Pet | undefined {
    const row = one.get(id) as PetRow | undefined
    return row === undefined ? undefined : toPet(row)
  }

  function listOne(query: PetFilter & { id: bigint }, after: bigint): Promise<Page<Pet>> {
    return read(() => {
      const pet = within(query, find(query.id))
      return { items: pet !== undefined && pet.id > after ? [pet] : [], more: false }
    })
  }

  const count: Pets['count'] = (filter) =>
    read(() => {
      if (hasId(filter)) return within(filter, find(filter.id)) === undefined ? 0n : 1n
      const { status, categoryId } = filter
      const row = categoryId === undefined ? totals.get() : totalsOfCategory.get(categoryId)
      return row === undefined ? 0n : countOf(row as unknown as CountsRow, status)
    })

  const listByName = sqlitePetsByName(reader, judge, (query, after, limit) => {
    const { statement, values } = choosePets(lists.id, query)
    return statement.all(...values, after, limit) as unknown as PetRow[]
  })

  return {
    list(query, limit, after, history) {
      const { sort = 'id' } = query
      if (hasId(query)) return listOne(query, after)
      if (isByName(sort)) return listByName(query, limit, after, history)
      return read(() => {
        const { statement, values } = choosePets(lists[sort], query)
        const rows = statement.all(...values, boundOf(sort, after), limit + 1) as unknown as PetRow[]
        const verdict = judge({ kind: 'pets', after: { id: after, history }, last: lastOfPage(rows, limit) })
        return inHistory(toPage(rows, limit, toPet), verdict)
      })
    },

    count,

    inventory: sqliteInventory(reader),

    find: (id) => read(() => find(id)),

    create(pet, idempotencyKey, author) {
      return writer.write('createPet', { pet, at: clock(), author, ...(idempotencyKey && { idempotencyKey }) })
    },

    update(id, change, precondition, author) {
      return writer.write('updatePet', { id, change, at: clock(), author, ...(precondition && { precondition }) })
    },

    remove(id, precondition, author) {
      return writer.write('removePet', { id, at: clock(), author, ...(precondition && { precondition }) })
    },
  }
}

const columns = `SELECT ${petColumns} FROM pets`

/**
 * One statement per combination of filters, each with an index in page order. With a bare parameter as limit, SQLite
 * would plan the statement at each call.
 */
function prepareLists(reader: DatabaseSync, { beyond, order }: Direction): PetStatements<StatementSync> {
  const page = `ORDER BY id${order} LIMIT (? + 0)`
  const ofStatuses = ["= 'available'", "= 'pending'", "= 'sold'", 'IS NULL'].map(
    (status) => `${columns} WHERE category_id = ?1 AND status ${status} AND id ${beyond} ?2`,
  )
  return {
    all: prepareRows(reader, `${columns} WHERE id ${beyond} ? ${page}`),
    status: prepareRows(reader, `${columns} WHERE status = ? AND id ${beyond} ? ${page}`),
    category: prepareRows(reader, `${ofStatuses.join(' UNION ALL ')} ${page}`),
    both: prepareRows(reader, `${columns} WHERE category_id = ? AND status = ? AND id ${beyond} ? ${page}`),
  }
}

type CountsRow = [available: bigint, pending: bigint, sold: bigint, none: bigint]

function countOf([available, pending, sold, none]: CountsRow, status: PetStatus | undefined): bigint {
  return status === undefined ? available + pending + sold + none : { available, pending, sold }[status]
}
