import type { DatabaseSync } from 'node:sqlite'
import { byFilterOf } from '../../shared/reads/filters.ts'
import type { OrderProposals, ProposalWords, ProposedRow } from '../../shared/reads/find-orders.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { inlineText, isLargeText } from './large-texts.ts'
import { pageSql } from './lists.ts'
import { petReadsOn } from './pet-reads.ts'
import type { ReadAtEndOfTick } from './shared-snapshot.ts'

/** Whether a text is not in ASCII, or contains another. LIKE ignores the case of ASCII. */
const mayHaveWord = (text: string) => `(octet_length(${text}) > length(${text}) OR ${text} LIKE ?)`

/** By the texts that are compared. CROSS JOIN keeps the order of the list. Large names are compared one by one. */
export function proposalSql(page: string, { customer, petName }: ProposalWords): string {
  const columns = resourceRows.orders.columns.replace(/\w+/g, 'orders.$&')
  const conditions = [
    ...(customer === undefined ? [] : [mayHaveWord('compared')]),
    ...(petName === undefined ? [] : [`(${isLargeText('pets.name')} OR ${mayHaveWord('pets.name')})`]),
  ]
  return `SELECT ${columns}, ${petName === undefined ? 'NULL' : inlineText('pets.name')}
    FROM (SELECT id AS listed, pet_id AS ordered, customer AS compared FROM orders ${page})
    ${petName === undefined ? '' : 'CROSS JOIN pets ON pets.id = ordered'}
    CROSS JOIN orders ON orders.id = listed WHERE ${conditions.join(' AND ')}`
}

/** Both reads see one snapshot: an order that left the filter between them would hide another. */
export function sqliteOrderProposals(reader: DatabaseSync, readAtEndOfTick: ReadAtEndOfTick): OrderProposals {
  const read = readsOf(reader)
  const statementsIn = (words: ProposalWords, direction: Direction) =>
    byFilterOf('orders')((conditions) => {
      const page = pageSql(conditions, direction)
      return {
        proposed: prepareRows<ProposedRow>(reader, proposalSql(page, words)),
        ids: prepareRows<[bigint]>(reader, `SELECT id FROM orders ${page} OFFSET (? + 0)`),
      }
    })
  const statementsFor = (words: ProposalWords) => ({
    id: statementsIn(words, ascending),
    '-id': statementsIn(words, descending),
  })
  const statements = new Map<string, ReturnType<typeof statementsFor>>()

  return {
    propose(words, count, { after, sort, filter }) {
      const which = Object.keys(words).join()
      const known = statements.get(which) ?? statementsFor(words)
      statements.set(which, known)
      const { statement, values } = known[sort](filter)
      const start = [...values, boundOf(sort, after)]
      const patterns = [words.customer, words.petName].flatMap((word) => (word === undefined ? [] : [`%${word}%`]))
      return readAtEndOfTick(() =>
        read(() => {
          const rows = statement.proposed.all(...start, count, ...patterns)
          // The last order of the part, and the one after it.
          const [last, following] = statement.ids.all(...start, 2, count - 1)
          return { rows, ...(last !== undefined && following !== undefined && { next: last[0] }) }
        }),
      )
    },
    comparedName: (petId) => read(() => petReadsOn(reader).comparedName(petId)),
  }
}
