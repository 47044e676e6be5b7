import { isId } from '../api/int64.ts'
import type { Query } from './route.ts'

/** Whether the service can look for it: it needs a word. */
export function canBeFound(text: string): boolean {
  return isId(text) || /[\p{L}\p{N}]/u.test(text)
}

/** What the address says to look for; '' if it is nothing that can be found. */
export function findTextOf({ find = '' }: Query): string {
  return canBeFound(find) ? find : ''
}
