import type { Pet } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { type Bug, bug } from './bug.ts'
import { header, listQuery, port, route } from './vocabulary.ts'

const kind = 'paging'
const silent = 'decision 1'
const keyset = 'Keyset paging: no repeats, no skips while others insert and delete.'
/** How many pages a bug remembers. */
const maxPages = 1_000

export const pagingBugs: readonly Bug[] = [
  bug(21, 'default-limit-25', kind, 'medium', 'easy', {
    wrong: 'Without a limit a page has 25 animals.',
    breaks: ['contract 4.1', 'When `limit` is omitted, at most 20 animals are returned.'],
    found: '`GET /pets` of a shop with more than 20 animals.',
    make: () => listQuery((query) => void (query.has('limit') || query.set('limit', '25'))),
  }),
  bug(22, 'limit-ignored-with-status', kind, 'medium', 'medium', {
    wrong: 'With a status filter the limit is ignored.',
    breaks: ['contract 4.1', 'limit: Maximum number of animals returned.'],
    found: '`GET /pets?status=sold&limit=1` of a shop with two sold animals.',
    make: () => listQuery((query) => void (query.has('status') && query.delete('limit'))),
  }),
  bug(23, 'page-repeats-a-row', kind, 'high', 'medium', {
    wrong: 'A page begins with the last animal of the page before.',
    breaks: [silent, keyset],
    found: 'Follow `Link` and compare ids.',
    make: () =>
      port('pets', (honest) => ({
        async list(query, limit, after, caller) {
          const last = after > 0n && isById(query) ? await honest.find(after) : undefined
          const page = await honest.list(query, limit, after, caller)
          return last === undefined ? page : { ...page, ...pageOf([last, ...page.items], limit, page.more) }
        },
      })),
  }),
  bug(24, 'page-skips-after-delete', kind, 'high', 'devilish', {
    wrong: 'Pages are counted by offset: if an animal of an earlier page is deleted, the next page skips one.',
    breaks: [silent, keyset],
    found: 'Read a page, delete one of its animals, follow `Link`.',
    make() {
      const offsets = new Map<bigint, number>()
      return port('pets', (honest) => ({
        async list(query, limit, after, caller) {
          const offset = after === 0n ? 0 : offsets.get(after)
          if (offset === undefined || !isById(query)) return honest.list(query, limit, after, caller)
          const all = await honest.list(query, offset + limit, 0n, caller)
          const page = { ...all, ...pageOf(all.items.slice(offset), limit, all.more) }
          const last = page.items.at(-1)
          if (offsets.size > maxPages) offsets.clear()
          if (last !== undefined) offsets.set(last.id, offset + limit)
          return page
        },
      }))
    },
  }),
  bug(25, 'last-animal-not-paged', kind, 'high', 'hard', {
    wrong: 'If exactly one animal would be left for the next page, there is no link to it.',
    breaks: [silent, '`Link` is absent on the last page only.'],
    found: 'Read a shop of N + 1 animals with `limit=N`.',
    make: () =>
      port('pets', (honest) => ({
        async list(query, limit, after, caller) {
          if (!isById(query)) return honest.list(query, limit, after, caller)
          const page = await honest.list(query, limit + 2, after, caller)
          return { ...page, items: page.items.slice(0, limit), more: page.items.length > limit + 1 }
        },
      })),
  }),
  bug(26, 'filter-forgotten-on-page-2', kind, 'high', 'medium', {
    wrong: 'From the second page on, the status filter is ignored.',
    breaks: ['contract 4.1', 'When `status` is given, every returned animal has that status.'],
    found: 'Follow the `Link` of a list with a status.',
    make: () =>
      port('pets', (honest) => ({
        list({ status, ...query }, limit, after, caller) {
          return honest.list(after > 0n || status === undefined ? query : { ...query, status }, limit, after, caller)
        },
      })),
  }),
  bug(27, 'link-to-an-empty-page', kind, 'low', 'medium', {
    wrong: 'The last page has a link to a next one, which is empty.',
    breaks: [silent, '`Link` is absent on the last page.'],
    found: 'Follow `Link` to the end.',
    make: () =>
      port('pets', (honest) => ({
        async list(query, limit, after, caller) {
          const page = await honest.list(query, limit, after, caller)
          return isById(query) && page.items.length > 0 ? { ...page, more: true } : page
        },
      })),
  }),
  bug(28, 'newest-first', kind, 'medium', 'easy', {
    wrong: 'Lists begin with the newest animal.',
    breaks: [silent, 'Order: ascending id.'],
    found: '`GET /pets`: the ids descend.',
    make: () => listQuery((query) => void (query.has('sort') || query.set('sort', '-id'))),
  }),
  bug(29, 'link-is-relative', kind, 'low', 'easy', {
    wrong: 'The link to the next page is a path.',
    breaks: [silent, '`Link` is an absolute URL.'],
    found: '`GET /pets?limit=1`.',
    make: () => header('link', (value) => value.replace(/<https?:\/\/[^/]*([^>]*)>; rel="next"/, '<$1>; rel="next"')),
  }),
  bug(30, 'damaged-cursor-restarts', kind, 'high', 'medium', {
    wrong: 'A damaged cursor returns the first page.',
    breaks: [silent, 'A damaged cursor is 400 `invalid_parameter`.'],
    found: '`GET /pets?cursor=x` is 200.',
    make: () =>
      route('listPets', (honest) => ({
        ...honest,
        async handle(exchange) {
          try {
            return await honest.handle(exchange)
          } catch (error) {
            if (!(error instanceof PetStoreError) || !error.fields.includes('cursor')) throw error
            exchange.findings.query = { ...(exchange.findings.query as object), cursor: undefined }
            return honest.handle(exchange)
          }
        },
      })),
  }),
  bug(31, 'available-includes-none', kind, 'high', 'medium', {
    wrong: '`status=available` also returns animals without a status.',
    breaks: ['contract 4.1', 'When `status` is given, every returned animal has that status.'],
    found: '`GET /pets?status=available` of a shop with an animal that has no status.',
    make: () =>
      port('pets', (honest) => ({
        async list(query, limit, after, caller) {
          if (query.status !== 'available' || !isById(query)) return honest.list(query, limit, after, caller)
          const { status: _status, ...others } = query
          const { items } = await honest.list(others, 10_000, after, caller)
          const chosen = items.filter(({ status }) => status === undefined || status === 'available')
          return pageOf(chosen, limit, false)
        },
      })),
  }),
  bug(32, 'count-ignores-the-filter', kind, 'medium', 'medium', {
    wrong: '`X-Total-Count` is the number of all animals, whatever the filter.',
    breaks: [silent, '`Prefer: count=exact` adds `X-Total-Count`, the number of matching animals.'],
    found: '`GET /pets?status=sold` with `Prefer: count=exact`.',
    make: () =>
      port('pets', (honest) => ({
        async list(query, ...rest) {
          const page = await honest.list(query, ...rest)
          return page.total === undefined ? page : { ...page, total: await honest.count({}) }
        },
      })),
  }),
]

/** Other orders and searches have pages of their own. */
function isById({ name, id, sort = 'id' }: { name?: string; id?: bigint; sort?: string }): boolean {
  return name === undefined && id === undefined && sort === 'id'
}

function pageOf(items: readonly Pet[], limit: number, more: boolean) {
  return { items: items.slice(0, limit), more: more || items.length > limit }
}
