import { page } from '../data.ts'
import { equals, throughput } from './throughput.ts'

export const deepPage = throughput({
  name: 'deep',
  title: 'deep page',
  meaning: 'One page from the middle of the data, again and again.',
  expected: 200,
  requests: (dialect, { middle }) => [{ method: 'GET', path: dialect.after(middle) }],
  check: equals(({ middle }) => page(middle)),
})
