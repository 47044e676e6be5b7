import { type Bug, bug } from './bug.ts'
import { listQuery, request, route, single } from './vocabulary.ts'

const kind = 'validation'
const silent = 'decision 1'
const statuses = new Set(['available', 'pending', 'sold'])

/** Paths and parameters. */
export const addressBugs: readonly Bug[] = [
  bug(1, 'limit-101-accepted', kind, 'low', 'easy', {
    wrong: 'A limit above 100 is taken for 100.',
    breaks: [silent, 'A `limit` above 100 is 400: clamping would silently lose rows.'],
    found: '`GET /pets?limit=101` is 200.',
    make: () =>
      listQuery((query) => {
        if (/^[1-9]\d{2,17}$/.test(single(query, 'limit'))) query.set('limit', '100')
      }),
  }),
  bug(2, 'limit-0-accepted', kind, 'low', 'easy', {
    wrong: '`limit=0` is taken for the default.',
    breaks: [silent, 'A `limit` of 0 is 400.'],
    found: '`GET /pets?limit=0` is 200.',
    make: () =>
      listQuery((query) => {
        if (single(query, 'limit') === '0') query.delete('limit')
      }),
  }),
  bug(3, 'limit-read-loosely', kind, 'low', 'medium', {
    wrong: 'A limit is read up to the first character that is no digit, so `1.0`, `1e1` and `007` are numbers.',
    breaks: [silent, '`limit` is plain decimal digits: `1.0`, `1e1`, `007` are 400.'],
    found: '`GET /pets?limit=1e1` is 200 with one animal.',
    make: () =>
      listQuery((query) => {
        const read = Number.parseInt(single(query, 'limit'), 10)
        if (read >= 1 && read <= 100) query.set('limit', String(read))
      }),
  }),
  bug(4, 'limit-twice', kind, 'low', 'medium', {
    wrong: 'Of a parameter that is given twice the last one counts.',
    breaks: [silent, 'A parameter given twice is 400.'],
    found: '`GET /pets?limit=1&limit=2` is 200.',
    make: () =>
      listQuery((query) => {
        for (const name of new Set(query.keys())) query.set(name, query.getAll(name).at(-1) as string)
      }),
  }),
  bug(5, 'status-filter-ignores-case', kind, 'low', 'easy', {
    wrong: 'The status filter takes SOLD for sold.',
    breaks: [silent, 'A `status` in other case is 400.'],
    found: '`GET /pets?status=SOLD` is 200.',
    make: () =>
      listQuery((query) => {
        const lower = single(query, 'status').toLowerCase()
        if (statuses.has(lower)) query.set('status', lower)
      }),
  }),
  bug(6, 'unknown-status-ignored', kind, 'high', 'easy', {
    wrong: 'A status filter with an unknown value is ignored: all animals are returned.',
    breaks: [silent, 'A `status` that is not one of the three is 400.'],
    found: '`GET /pets?status=lost` is 200.',
    make: () =>
      listQuery((query) => {
        if (query.has('status') && !statuses.has(query.get('status')?.toLowerCase() as string)) query.delete('status')
      }),
  }),
  bug(7, 'unknown-parameter-refused', kind, 'medium', 'easy', {
    wrong: 'A list refuses parameters that it does not know.',
    breaks: [silent, 'Unknown query parameters are ignored.'],
    found: '`GET /pets?utm_source=mail` is 400.',
    make: () => route('listPets', (honest) => ({ ...honest, checkQuery: (text) => honest.checkQuery?.(text, true) })),
  }),
  bug(19, 'id-with-zeros', kind, 'low', 'medium', {
    wrong: 'An id in a path may have zeros before it: /pets/007 is /pets/7.',
    breaks: [silent, 'Anything that is not the canonical decimal of a stored id is 404.'],
    found: '`GET /pets/001` is 200.',
    make: () =>
      request(({ target }) => void (target.path = target.path.replace(/^(\/v1\/pets\/)0+(?=[1-9]\d*$)/, '$1'))),
  }),
  bug(20, 'slash-at-the-end', kind, 'low', 'easy', {
    wrong: '/pets/ is the same as /pets.',
    breaks: [silent, '`/v1/pets/` is 404.'],
    found: '`GET /pets/` is 200.',
    make: () => request(({ target }) => void (target.path === '/v1/pets/' && (target.path = '/v1/pets'))),
  }),
]
