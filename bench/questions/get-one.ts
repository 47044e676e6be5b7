import { animal, someIds } from '../data.ts'
import { cpuBesideBare, cpuBesidePeers } from './peer-goals.ts'
import { equals, throughput } from './throughput.ts'

export const getOne = throughput({
  name: 'get',
  title: 'get one',
  meaning: 'One animal by its id, 50,000 different ones.',
  expected: 200,
  requests: (dialect, { animals, middle }) =>
    [middle, ...someIds(50_000, animals).map((id) => id + 1)].map((id) => ({ method: 'GET', path: dialect.one(id) })),
  check: equals(({ middle }) => animal(middle)),
  goals: (samples) => [
    ...cpuBesideBare('get one', 1.15)(samples),
    ...cpuBesidePeers('get one', { fastify: 0.5, hono: 1.05 })(samples),
  ],
})
