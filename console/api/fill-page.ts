import type { Page } from '../../client/src/index.ts'

/** How long a user waits for a page of a search, in milliseconds. */
export const maxSearchMs = 1_500

export interface Part {
  cursor?: string | undefined
  limit: number
  signal: AbortSignal
}

/**
 * A page of a list whose pages may be short, or empty, and still have a next one. Reads on, one request at a time,
 * until it has `limit` items, the list ends or the time is over. Its cursor continues right after it.
 * Only the first request may take longer, and only its failure is one: otherwise what was found is the page.
 */
export async function fillPage<Item>(
  read: (part: Part) => Promise<Page<Item>>,
  { cursor, limit, signal }: Part,
): Promise<Page<Item>> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), maxSearchMs)
  try {
    let page = await read({ cursor, limit, signal })
    const eitherSignal = AbortSignal.any([signal, late.signal])
    while (page.items.length < limit && page.cursor !== undefined && !eitherSignal.aborted) {
      const rest = { cursor: page.cursor, limit: limit - page.items.length, signal: eitherSignal }
      const next = await read(rest).catch(() => undefined)
      if (next === undefined) break
      page = { ...page, items: [...page.items, ...next.items], cursor: next.cursor }
    }
    signal.throwIfAborted()
    return page
  } finally {
    clearTimeout(timer)
  }
}
