import { encodeAuthor } from '../../contract/json.ts'
import type { CheckedDatabase } from '../shared/checked-database.ts'

/** Finds events that are not valid JSON. They are sent as they are stored, so one of them would spoil a whole page. */
export async function* findUnreadable(db: CheckedDatabase): AsyncIterable<string> {
  const rows = db.query('SELECT id, data, author FROM events ORDER BY id') as AsyncIterable<
    [id: bigint, data: string, author: string | null]
  >
  for await (const [id, data, author] of rows) {
    if (!isObject(data)) yield `Event ${id} has invalid data.`
    if (author !== null && !isAuthor(author)) yield `Event ${id} has an invalid author.`
  }
}

function isObject(json: string): boolean {
  const value = parse(json)
  return typeof value === 'object' && value !== null
}

function isAuthor(json: string): boolean {
  const { keyid, keyname, requestid } = (parse(json) ?? {}) as Record<string, unknown>
  if (typeof keyname !== 'string') return false
  return json === encodeAuthor({ keyId: keyid as string, keyName: keyname, requestId: requestid as string })
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
