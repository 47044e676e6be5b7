import { type Exchange, headerOf, jsonOf } from './exchange.ts'
import type { Json } from './json.ts'
import type { Shop } from './shop.ts'

/** More than a shop has of webhooks, in pages of 100. A wrong shop may link to pages without end. */
export const maxPages = 20

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
  const link = response === undefined ? undefined : headerOf(response, 'link')
  return /<([^<>]*)>\s*;\s*rel="?next/i.exec(link ?? '')?.[1]
}
