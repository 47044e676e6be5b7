import { isId } from '../api/int64.ts'
import type { Query } from './route.ts'

/** Whether the service can look for it: it needs a word. */
export function canBeFound(text: string): boolean {
  return isId(text) || /[\p{L}\p{N}]/u.test(text)
}

/** The number of an order as people write it: `7`, `#7`, `Order 7`. Undefined if the text is something else. */
export function orderNumberOf(text: string): string | undefined {
  const number = text.trim().replace(/^(order\s*)?#?(?=\d+$)/i, '')
  return isId(number) ? number : undefined
}

/** What the address says to look for; '' if it is nothing that can be found. */
export function findTextOf({ find = '' }: Query): string {
  return canBeFound(find) ? find : ''
}
