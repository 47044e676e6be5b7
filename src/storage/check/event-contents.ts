import { checker } from '../../contract/checker.ts'
import { encodeAuthor } from '../../contract/event.ts'
import { parseJson } from '../../contract/json.ts'
import { Order } from '../../contract/order.ts'
import { Pet } from '../../contract/pet.ts'
import type { CheckedDatabase } from '../shared/checked-database.ts'
import { eventColumns, type EventRow, toEvent } from '../shared/rows/event-row.ts'
import { faultOf } from './contents.ts'

const checkPet = checker(Pet, 'json')
const checkOrder = checker(Order, 'json')

/** Finds events that cannot be sent. They are sent as they are stored. */
export async function* findUnreadable(db: CheckedDatabase): AsyncIterable<string> {
  const rows = db.query(`SELECT ${eventColumns} FROM events ORDER BY id`) as AsyncIterable<EventRow>
  for await (const row of rows) {
    const [id, type, subject, , data, author] = row
    const fault =
      faultOf(() => toEvent(row)) ??
      dataFault(`The data of the event ${id}`, type.startsWith('pet.') ? checkPet : checkOrder, subject, data)
    if (fault !== undefined) yield fault
    if (author !== null && !isAuthor(author)) yield `The event ${id} has an invalid author.`
  }
}

function dataFault(what: string, check: typeof checkPet | typeof checkOrder, subject: bigint, data: string) {
  const value = parse(data) as Record<string, unknown> | undefined
  if (value === undefined) return `${what} is not JSON.`
  const checked = check(value)
  if ('faults' in checked) return `${what} is wrong: ${checked.faults}`
  const { id } = checked.value
  return id === subject ? undefined : `${what} is about ${id}, but the event is about ${subject}.`
}

function isAuthor(json: string): boolean {
  const { keyid, keyname, requestid } = (parse(json) ?? {}) as Record<string, unknown>
  if (typeof keyname !== 'string') return false
  return json === encodeAuthor({ keyId: keyid as string, keyName: keyname, requestId: requestid as string })
}

function parse(json: string): unknown {
  try {
    return parseJson(json) ?? undefined
  } catch {
    return undefined
  }
}
