import { page } from '../data.ts'
import { cpuBesideBare } from './peer-goals.ts'
import { equals, type Throughput, throughput } from './throughput.ts'

export const listing: Throughput = {
  name: 'list',
  title: 'list 20, with key',
  meaning: 'The first page of 20 from 100,000 animals, again and again.',
  expected: 200,
  requests: (dialect) => [{ method: 'GET', path: dialect.list }],
  check: equals(() => page(0)),
  goals: cpuBesideBare('list 20', 1.2),
}

export const list = throughput(listing)
