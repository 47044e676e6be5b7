import { checker } from '../../contract/checker.ts'
import { NewKey } from '../../contract/key.ts'
import { isLineage } from '../../contract/position.ts'
import { dayCounts } from '../../inventory/days.ts'
import type { AddedKind, Row } from '../../inventory/snapshot.ts'
import {
  counterNames,
  forEachResource,
  type ResourceDescription,
  resources,
  type ResourceTable,
} from '../../inventory/tables.ts'
import type { CheckedDatabase } from '../shared/checked-database.ts'
import { environmentProperty } from '../shared/environment.ts'
import { keyColumns, type KeyRow, toKey } from '../shared/rows/key-row.ts'
import { resourceRows } from '../shared/rows/resource-rows.ts'
import { isTime, UnreadableRow } from '../shared/rows/unreadable-row.ts'

/** The rows of a table, and what is wrong with one of them: a sentence, or nothing. */
interface Contents {
  sql: string
  faultOf(row: Row): string | undefined
}

const checkKey = checker(NewKey, 'json')

/**
 * Each row is decoded as the operations do it, and then held to the rules for what clients send. Events have a check of
 * their own.
 */
const contents: Readonly<Record<Exclude<AddedKind, 'events'>, Contents>> = {
  ...forEachResource(contentsOf),
  api_keys: {
    sql: `SELECT hash, ${keyColumns} FROM api_keys ORDER BY id`,
    faultOf([hash, ...row]) {
      const key = `The API key ${row[0]}`
      if (!/^[\w-]{43}$/.test(hash as string)) return `${key} has a hash that is not a SHA-256 in base64url.`
      return valueFault(key, () => {
        const { name, permission } = toKey(row as KeyRow)
        return checkKey({ name, permission })
      })
    },
  },
  idempotency_records: {
    sql: 'SELECT key_id, name, response, created_at FROM idempotency_records ORDER BY key_id, name',
    faultOf([keyId, name, response, at]) {
      const record = `The idempotency record ${JSON.stringify(name)} of the key ${keyId}`
      if (!isTime(at)) return `${record} has the time ${at}.`
      return isObject(response as string) ? undefined : `${record} has a response that is not JSON.`
    },
  },
  day_counts: {
    sql: `SELECT day, ${dayCounts.join(', ')} FROM day_counts ORDER BY day`,
    faultOf: ([day, ...counts]) =>
      counts.every((count) => (count as bigint) >= 0n)
        ? undefined
        : `The counts of the day ${day} are wrong: ${counts.join()}.`,
  },
  lineages: {
    sql: 'SELECT number, id, began_at, events_before FROM lineages ORDER BY number',
    faultOf([number, id, at, before]) {
      const isWhole = id === null || isLineage(id as string)
      if (isWhole && isTime(at) && (before as bigint) >= 0n) return undefined
      return `The lineage ${number} is wrong: its id is ${id}, it began at ${at} after the event ${before}.`
    },
  },
}

function contentsOf(table: ResourceTable): Contents {
  const { noun, schema, derived }: ResourceDescription = resources[table]
  const { columns, storedColumns, toItem, withDerived } = resourceRows[table]
  const check = checker(schema, 'json')
  const length = columns.split(', ').length
  return {
    sql: `SELECT ${storedColumns} FROM ${table} ORDER BY id`,
    faultOf(row) {
      const what = `The ${noun} ${row[0]}`
      const fault = valueFault(what, () => check({ ...toItem(row) }))
      if (fault !== undefined || row.at(-1) === withDerived(row.slice(0, length)).at(-1)) return fault
      return `${what} is not found by its ${derived?.from}.`
    },
  }
}

/** Finds rows that an operation cannot read, or that no client could have sent. */
export async function* findContents(db: CheckedDatabase): AsyncIterable<string> {
  for (const { sql, faultOf: fault } of Object.values(contents)) {
    for await (const row of db.query(sql)) {
      const sentence = fault(row)
      if (sentence !== undefined) yield sentence
    }
  }
}

/** Finds rows that every database of a started service has, and that are missing. */
export async function* findMissing(db: CheckedDatabase): AsyncIterable<string> {
  const counters = new Set<unknown>()
  for await (const [name] of db.query(`SELECT name FROM (${db.counters}) AS counters`)) counters.add(name)
  for (const name of counterNames.toSorted()) if (!counters.has(name)) yield `The counter of ${name} is missing.`
  for await (const [rows] of db.query('SELECT count(*) FROM pet_totals')) {
    if (rows !== 1n) yield `The totals of the animals have ${rows} rows instead of one.`
  }
  for await (const [number] of db.query(lineagesAfterGaps)) {
    yield `The lineage before number ${number} is missing.`
  }
  for await (const [lineages, environments, written] of db.query(started)) {
    if (lineages === 0n && written !== 0n) yield 'All lineages are missing.'
    if (lineages !== 0n && environments === 0n) yield 'The environment of the database is missing.'
  }
}

const lineagesAfterGaps = `
  SELECT number FROM lineages AS later WHERE number > (SELECT min(number) FROM lineages)
    AND NOT EXISTS (SELECT 1 FROM lineages AS earlier WHERE earlier.number = later.number - 1)
  ORDER BY number`

const started = `
  SELECT (SELECT count(*) FROM lineages), (SELECT count(*) FROM properties WHERE name = '${environmentProperty}'),
    (SELECT count(*) FROM (SELECT 1 FROM events LIMIT 1) AS written)`

/** What a decoder says of a row that it cannot read. */
export function faultOf(decode: () => unknown): string | undefined {
  try {
    decode()
    return undefined
  } catch (error) {
    if (error instanceof UnreadableRow) return error.message
    throw error
  }
}

function valueFault(what: string, read: () => object): string | undefined {
  let checked: object = {}
  return (
    faultOf(() => (checked = read())) ??
    ('faults' in checked ? `${what} is wrong: ${String(checked.faults)}` : undefined)
  )
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
