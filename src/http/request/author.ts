import { encodeAuthor } from '../../contract/event.ts'
import type { ApiKey } from '../../inventory/keys.ts'

/** The JSON of an author up to the id of the request, which is all that differs between the requests of a key. */
const starts = new WeakMap<ApiKey, string>()

/** The author of the changes of a request. */
export function encodedAuthor(key: ApiKey, requestId: string): string {
  let start = starts.get(key)
  if (start === undefined) {
    start = encodeAuthor({ keyId: key.id, keyName: key.name }).slice(0, -1)
    starts.set(key, start)
  }
  // The id of a request has no character that JSON escapes (request-id.ts).
  return `${start},"requestid":"${requestId}"}`
}
