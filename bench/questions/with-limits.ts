import { ours, withEnvironment } from '../columns.ts'
import type { Column } from '../dialect.ts'
import { type Bench, heatUp } from '../measure.ts'
import { goal, ratio } from '../report.ts'
import { fillColumn, startServer } from '../servers.ts'
import { creating } from './create.ts'
import { listing } from './list.ts'
import type { Question } from './question.ts'
import { type Throughput, throughput } from './throughput.ts'

const origin = 'https://shop.example'
const limited = withEnvironment(ours, { PETSTORE_CORS_ORIGINS: origin, PETSTORE_RATE_LIMIT: '1000000000' })
const compared = new Set(['ours', 'bare', 'bare-headers', 'hono-bun', 'fastify-sqlite'])

/** Most deployments turn these on: a page of another origin, and a limit that nobody reaches. */
export const listWithLimits = withLimits(listing)
export const createWithLimits = withLimits(creating)

function withLimits(row: Throughput): Question {
  const { watch: _watch, ...rest } = row
  const column = { ...limited, name: `${row.name}-limits`, title: 'ours, CORS and a rate limit' }
  const title = `${row.title}, CORS and a rate limit`
  const measured = throughput({
    ...rest,
    name: column.name,
    title,
    meaning: 'The same with CORS and a rate limit on, beside ours without them. Every request has an origin.',
    requests: (dialect, shop) =>
      row.requests(dialect, shop)?.map((request) => ({ ...request, headers: { Origin: origin } })),
    goals(samples) {
      const [plain, full] = [samples.get('ours'), samples.get(column.name)]
      if (plain === undefined || full === undefined) return []
      const times = full.cpu / plain.cpu
      return [goal(`${row.name}, CORS and a rate limit: CPU within 15 % of ours`, ratio(times), times <= 1.15)]
    },
  })
  return { name: column.name, title, answer: (bench) => beside(bench, column, measured) }
}

/** Runs the question with one more server. */
async function beside(bench: Bench, column: Column, question: Question) {
  await fillColumn(column, bench.shop)
  const server = await startServer(column, bench.shop, bench.options.cores.server)
  try {
    await heatUp(bench, server, bench.shop)
    const others = bench.servers.filter(({ column: other }) => compared.has(other.name))
    return await question.answer({ ...bench, servers: [...others, server] })
  } finally {
    await server.stop()
  }
}
