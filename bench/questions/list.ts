import { page } from '../data.ts'
import { goal, ratio } from '../report.ts'
import { equals, type Throughput, throughput } from './throughput.ts'

export const listing: Throughput = {
  name: 'list',
  title: 'list 20, with key',
  meaning: 'The first page of 20 from 100,000 animals, again and again.',
  expected: 200,
  requests: (dialect) => [{ method: 'GET', path: dialect.list }],
  check: equals(() => page(0)),
  goals(samples) {
    const [ours, bare] = [samples.get('ours'), samples.get('bare-headers')]
    if (ours === undefined || bare === undefined) return []
    const times = ours.cpu / bare.cpu
    return [goal('list 20: CPU at most 1.2 × bare node:http with the same headers', ratio(times), times <= 1.2)]
  },
}

export const list = throughput(listing)
