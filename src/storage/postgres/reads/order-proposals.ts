import type { IdSort } from '../../../contract/parameters.ts'
import { columnsOfResource } from '../../../inventory/tables.ts'
import { byFilterOf } from '../../shared/reads/filters.ts'
import type { OrderProposals, ProposalWords, ProposedRow } from '../../shared/reads/find-orders.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { beginningOf } from '../schema/name-index.ts'
import { listIn } from './lists.ts'
import type { Reads } from './read.ts'

const { columns } = resourceRows.orders
const idOnly = columnsOfResource('orders')
  .map((column) => (column === 'id' ? column : 'NULL'))
  .concat('NULL')

/**
 * The proposed orders of a part of a list; then the ids of the last order of the part and of the one after it. A customer
 * that is not in ASCII is proposed: with the collation "C" only the case of ASCII is known. The words of a name are
 * stored. OFFSET 0 makes the planner look up the animal of each order.
 */
function statementsIn({ customer, petName }: ProposalWords, sort: IdSort, direction: Direction) {
  return byFilterOf('orders')((conditions) => {
    const { name, rows, parameters } = listIn('orders', sort, direction, conditions)
    const count = `$${parameters + 1}`
    const [ofCustomer, ofName] = [`$${parameters + 2}`, `$${parameters + (customer === undefined ? 2 : 3)}`]
    const compared = [
      ...(customer === undefined
        ? []
        : [`(octet_length(customer) > length(customer) OR lower(customer COLLATE "C") LIKE ${ofCustomer})`]),
      ...(petName === undefined ? [] : [`' ' || words LIKE ${ofName}`]),
    ]
    const pet = 'CROSS JOIN LATERAL (SELECT words FROM pets WHERE pets.id = listed.pet_id OFFSET 0) AS pet'
    return {
      name: `${customer === undefined ? '' : 'customers_'}${petName === undefined ? '' : 'pet_names_'}of_${name}`,
      text: `
        (SELECT ${columns}, ${petName === undefined ? 'NULL' : 'words'} FROM (SELECT * ${rows} LIMIT ${count}) AS listed
          ${petName === undefined ? '' : pet} WHERE ${compared.join(' AND ')})
        UNION ALL (SELECT ${idOnly.join(', ')} ${rows} OFFSET ${count} - 1 LIMIT 2)`,
    }
  })
}

function statementsFor(words: ProposalWords) {
  return { id: statementsIn(words, 'id', ascending), '-id': statementsIn(words, '-id', descending) }
}

/** By the texts that are compared. For a test of their plans, too. */
export const proposals = {
  customer: statementsFor({ customer: '' }),
  petName: statementsFor({ petName: '' }),
  both: statementsFor({ customer: '', petName: '' }),
}

export function postgresOrderProposals({ countPending, readPage }: Reads): OrderProposals {
  return {
    async propose(words, count, { after, sort, filter }) {
      const { customer, petName } = words
      const which = customer === undefined ? 'petName' : petName === undefined ? 'customer' : 'both'
      const { statement, values } = proposals[which][sort](filter)
      const patterns = [
        ...(customer === undefined ? [] : [`%${customer}%`]),
        ...(petName === undefined ? [] : [beginningOf(petName)]),
      ]
      const query = { statement, values: [...values, boundOf(sort, after), count, ...patterns] }
      const { rows } = await countPending(() => readPage({ ...query, kind: 'orders', after }))
      const [last, following] = (rows as unknown as ProposedRow[]).filter(isIdOnly)
      return {
        rows: (rows as unknown as ProposedRow[]).filter((row) => !isIdOnly(row)),
        ...(last !== undefined && following !== undefined && { next: last[0] as bigint }),
      }
    },
    // Every proposed order has the words of the name, however large it is.
    comparedName: () => Promise.resolve(undefined),
  }
}

/** Every order is for an animal. */
function isIdOnly([, petId]: ProposedRow): boolean {
  return petId === null
}
