import { equal } from 'node:assert/strict'
import { withEnvironment } from '../columns.ts'
import { page, pageSize, someIds } from '../data.ts'
import { distinctPages } from './any-page.ts'
import { apart } from './apart.ts'
import { equals } from './throughput.ts'

const isRight = equals(({ middle }) => page(middle))
const compressing = new Set(['ours', 'before', 'bare', 'bare-headers', 'hono-bun'])

export const gzip = apart(
  {
    name: 'gzip',
    title: 'any page, gzip',
    meaning:
      'Pages from all over the data, 50,000 different ones, compressed with gzip. Bare compresses the same bytes again ' +
      'for each response; Hono uses its own middleware.',
    expected: 200,
    requests: ({ after }, { animals, middle }) =>
      [middle, ...someIds(distinctPages, animals - pageSize)].map((id) => ({
        method: 'GET',
        path: after(id),
        headers: { 'Accept-Encoding': 'gzip' },
      })),
    check(answer, shop, headers) {
      equal(headers.get('content-encoding'), 'gzip')
      isRight(answer, shop, headers)
    },
  },
  {
    variantsOf: (column) => (compressing.has(column.name) ? [withEnvironment(column, { GZIP: 'true' })] : []),
  },
)
