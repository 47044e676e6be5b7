import { pageSize, page, someIds } from '../data.ts'
import { goal, ratio } from '../report.ts'
import { cpuBesidePeers } from './peer-goals.ts'
import { equals, throughput } from './throughput.ts'

/** Enough that a page is seldom asked for twice in a measurement, and that no cache of a sane size holds them all. */
export const distinctPages = 50_000

export const anyPage = throughput({
  name: 'any',
  title: 'any page',
  meaning: 'Pages from all over the data, 50,000 different ones: what a page costs that was not asked for before.',
  expected: 200,
  requests: (dialect, { animals, middle }) =>
    [middle, ...someIds(distinctPages, animals - pageSize)].map((id) => ({ method: 'GET', path: dialect.after(id) })),
  check: equals(({ middle }) => page(middle)),
  goals(samples) {
    const { p50 = Number.NaN, p99 = Number.NaN } = samples.get('ours') ?? {}
    return [
      ...cpuBesidePeers('any page', { fastify: 0.55, hono: 0.9 })(samples),
      goal('any page: p99 at most 2 × p50', ratio(p99 / p50), p99 <= 2 * p50),
    ]
  },
})
