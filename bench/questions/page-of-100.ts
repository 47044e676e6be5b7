import { page, someIds } from '../data.ts'
import { distinctPages } from './any-page.ts'
import { equals, throughput } from './throughput.ts'

export const pageOf100 = throughput({
  name: 'page-100',
  title: 'a page of 100',
  meaning: 'Pages of 100 from all over the data, 50,000 different ones.',
  expected: 200,
  requests: ({ hundredAfter }, { animals, middle }) =>
    hundredAfter &&
    [middle, ...someIds(distinctPages, animals - 100)].map((id) => ({ method: 'GET', path: hundredAfter(id) })),
  check: equals(({ middle }) => page(middle, undefined, 100)),
})
