import { type Exchange, jsonOf } from './exchange.ts'
import type { Json } from './json.ts'
import type { Shop } from './shop.ts'

/** More than a shop has of webhooks, in pages of 100. A wrong shop may link to pages without end. */
export const maxPages = 20
/** In characters. A longer one of a wrong shop would take long to read. */
const maxLinkLength = 4096
/** A link may have other parameters before its relations, and several of these (RFC 8288, section 3). */
const nextLink = /<([^<>]*)>\s*;[^<>]*?\brel\s*=\s*(?:"[^"<>]*\bnext\b|next\b)/i

/** The items of a list and of the pages that follow, as far as each page is a list. */
export async function* itemsOf(
  shop: Shop,
  path: string,
  { maxPages, watch = (exchange) => exchange }: { maxPages: number; watch?: (exchange: Exchange) => Exchange },
): AsyncGenerator<Json> {
  const [room = ''] = path.split('?')
  let next: string | undefined = path
  for (let page = 0; page < maxPages && next !== undefined; page++) {
    const list = watch(await shop.send({ method: 'GET', path: next }))
    const items = list.response?.status === 200 ? jsonOf(list.response) : undefined
    if (!Array.isArray(items)) return
    yield* items
    const query = nextQuery(list)
    next = query === undefined ? undefined : `${room}${query}`
  }
}

/** The query of the next page, if the response links to one of the same list. */
export function nextQuery(list: Exchange): string | undefined {
  const target = nextTarget(list)
  if (target === undefined || !URL.canParse(target, list.url.href)) return undefined
  const next = new URL(target, list.url)
  return next.pathname === list.url.pathname ? next.search : undefined
}

export function nextTarget({ response }: Exchange): string | undefined {
  for (const [name, value] of response?.headers ?? []) {
    const link = name === 'link' ? nextLink.exec(value.slice(0, maxLinkLength)) : null
    if (link !== null) return link[1]
  }
  return undefined
}
