import { page } from '../data.ts'
import { equals, throughput } from './throughput.ts'

export const byStatus = throughput({
  name: 'status',
  title: 'list by status',
  meaning: 'The first 20 available animals, again and again.',
  expected: 200,
  requests: (dialect) => [{ method: 'GET', path: dialect.byStatus }],
  check: equals(() => page(0, 'available')),
})
