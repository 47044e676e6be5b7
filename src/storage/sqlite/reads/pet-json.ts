import { isUtf8 } from 'node:buffer'
import type { DatabaseSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import { petMembers, PetStatus } from '../../../contract/pet.ts'
import type { PetFilter } from '../../../inventory/pets.ts'
import { boundOf } from '../../shared/reads/page.ts'
import { maxInlineBytes } from './large-texts.ts'
import { prepareLists } from './lists.ts'

/** A page as `encodePet` writes its animals. */
export interface JsonPage {
  json: Buffer
  /** The id of the last animal, if there is a next page. */
  next?: bigint
}

export type ReadJsonPage = (filter: PetFilter, sort: IdSort, after: bigint, limit: number) => JsonPage | undefined

type PageRow = [json: Uint8Array | null, found: bigint]

/** Where the next animal of a page begins. No name has this text: quotes in names are escaped. */
const nextPet = Buffer.from('},{"id":')
const firstPet = '[{"id":'
const comma = ','.charCodeAt(0)
const closingBracket = ']'.charCodeAt(0)

/**
 * Reads pages that SQLite encodes: half as costly as rows, because no value of an animal becomes one of JavaScript.
 * Undefined for a page with a large name, or with a row that cannot be read. SQLite does not check that a text is UTF-8:
 * another program may have stored one that is not, and no client could read such a page.
 */
export function prepareJsonPages(db: DatabaseSync): ReadJsonPage {
  const lists = prepareLists(
    db,
    `id, ${petJson} AS json`,
    (list) => `SELECT iif(${hasUnknownStatus}, NULL, ${arraySql}), count(*) FROM (${list})`,
  )
  return (filter, sort, after, limit) => {
    const { statement, values } = lists[sort](filter)
    const [bytes, found] = statement.get(...values, boundOf(sort, after), limit + 1) as unknown as PageRow
    if (bytes === null || !isUtf8(bytes)) return undefined
    const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return found > limit ? withoutLast(json) : { json }
  }
}

/** Removes the last animal, which only shows that there is a next page. */
function withoutLast(json: Buffer): JsonPage {
  const end = json.lastIndexOf(nextPet)
  const before = json.lastIndexOf(nextPet, end - 1)
  const digits = before === -1 ? firstPet.length : before + nextPet.length
  const next = BigInt(json.toString('latin1', digits, json.indexOf(comma, digits)))
  json[end + 1] = closingBracket
  return { json: json.subarray(0, end + 2), next }
}

const { status, ...always } = petMembers
const required = Object.entries(always).flatMap(([name, { column }]) => [`'${name}'`, column])
const withoutStatusSql = `json_object(${required.join(', ')})`
const withStatusSql = `json_object(${[...required, "'status'", status.column].join(', ')})`

/** Asked once for a page, of an index that is usually empty: to compare the status of each row takes 6 µs for 20. */
const isUnknown = PetStatus.enum.map((each) => `${status.column} <> '${each}'`).join(' AND ')
const hasUnknownStatus = `EXISTS (SELECT 1 FROM pets INDEXED BY pets_of_unknown_status WHERE ${isUnknown})`

/** No UTF-8, so that a page with it is not either. */
const unreadable = "CAST(x'FF' AS TEXT)"
const isReadable = `octet_length(name) BETWEEN 1 AND ${maxInlineBytes}`

/** SQL of the JSON of a row, with all digits of its numbers; `unreadable` if `toPet` cannot read its name at once. */
const petJson = `iif(${isReadable}, iif(${status.column} IS NULL, ${withoutStatusSql}, ${withStatusSql}), ${unreadable})`
const arraySql = "CAST('[' || ifnull(group_concat(json), '') || ']' AS BLOB)"
