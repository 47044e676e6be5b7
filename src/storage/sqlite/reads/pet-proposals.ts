import type { DatabaseSync } from 'node:sqlite'
import type { NameRange, Search } from '../../shared/reads/find-by-name.ts'
import { boundOf } from '../../shared/reads/page.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import { prepareLists } from './lists.ts'

/**
 * Looks through the next pets of a list, `count` at most. Proposes those whose name may have the words of a search and,
 * in the order of names, may be in the range: SQLite compares names in ASCII, all others are proposed. `last` is the
 * id of the last one that was looked at; undefined if the list has no more than these.
 */
export type ProposePets = (
  search: Search,
  count: number,
  range: NameRange | undefined,
) => { rows: PetRow[]; last: bigint | undefined }

/** LIKE ignores the case of ASCII. A name that begins with a letter or digit is sorted by that first. */
const mayMatch = `octet_length(name) > length(name) OR (name LIKE ?
  AND (lower(substr(name, 1, 1)) BETWEEN ? AND ? OR name NOT GLOB '[0-9A-Za-z]*'))`

/** For a test of its plan. */
export function proposalSql(list: string): string {
  return `SELECT * FROM (${list}) WHERE ${mayMatch}`
}

/** `columns` are those of the rows that are proposed. */
export function prepareProposals(db: DatabaseSync, columns: string): ProposePets {
  const proposed = prepareLists<PetRow>(db, columns, proposalSql)
  const ids = prepareLists<[bigint]>(db, 'id', (list) => `${list} OFFSET (? + 0)`)

  return ({ words, filter, sort, after }, count, range) => {
    const [longest = ''] = words.toSorted((one, other) => other.length - one.length)
    const { statement, values } = proposed[sort](filter)
    const start = [...values, boundOf(sort, after)]
    const rows = statement.all(...start, count, `%${longest}%`, ...firstCharacters(range))
    return { rows, last: ids[sort](filter).statement.get(...start, 1, count - 1)?.[0] }
  }
}

const [lowest, highest, aboveAll] = ['0', 'z', '{']

/** The lowest and the highest letter or digit that a name in the range can begin with. */
function firstCharacters(range: NameRange | undefined): [from: string, to: string] {
  if (range === undefined) return [lowest, highest]
  const [from, to] = range.sort === 'name' ? [range.after, range.upTo] : [range.upTo, range.after]
  return [from === undefined ? lowest : beginningOf(from.key), to === undefined ? highest : beginningOf(to.key)]
}

/** The first character of a sort key. Keys of names in ASCII are below those that begin with another character. */
function beginningOf(key: string): string {
  const first = key.slice(0, 1)
  return first > highest ? aboveAll : first
}
