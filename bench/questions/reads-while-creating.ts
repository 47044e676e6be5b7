import { alternate, type Bench, requestFile, type Subject } from '../measure.ts'
import { count, goal, ratio, type Section, short } from '../report.ts'
import { newAnimals } from './create.ts'
import type { Question } from './question.ts'
import { connections } from './throughput.ts'

const title = 'reads while creates run'
const readers = 8
const readsPerSecond = 800
const reference = 'fastify-nothing'

/** Creates at full rate beside reads at a steady rate: does the writing hold up the reading? */
export const readsWhileCreating: Question = { name: 'mixed', title, answer }

async function answer(bench: Bench): Promise<Section> {
  const measured = await alternate(bench, subjects(bench))
  const reads = measured.samples
  const base = reads.get(reference)
  const lines = bench.servers.flatMap(({ column: { name, title } }) => {
    const sample = reads.get(name)
    if (sample === undefined) return []
    const { p50, p99, besidePerSecond } = sample
    return [[title, short(p50), short(p99), ratio(p99 / (base?.p99 ?? Number.NaN)), count(besidePerSecond)]]
  })
  const ours = reads.get('ours')
  return {
    name: 'mixed',
    title,
    meaning:
      `List 20 at ${readsPerSecond} requests per second over ${readers} connections, while ${connections} more create ` +
      'as fast as they are answered. A read that could not be sent in time counts from when it was due.',
    head: ['server', 'p50 ms of reads', 'p99 ms of reads', '× Fastify, stores nothing', 'creates/s'],
    lines,
    notes: measured.notes,
    goals:
      ours === undefined || base === undefined
        ? []
        : [
            goal(
              'p99 of reads while creates run: at most 2 × with creates that store nothing',
              ratio(ours.p99 / base.p99),
              ours.p99 <= 2 * base.p99,
            ),
          ],
  }
}

function subjects({ servers, shop }: Bench): Subject[] {
  return servers.flatMap((server): Subject[] => {
    const { name, dialect } = server.column
    const creates = newAnimals(dialect)
    if (creates === undefined) return []
    const reads = requestFile(shop, `read-${name}`, [{ method: 'GET', path: dialect.list }])
    return [
      {
        name,
        server,
        streams: [
          { requests: reads, connections: readers, expected: 200, perSecond: readsPerSecond },
          { requests: requestFile(shop, `create-${name}`, creates), connections, expected: 201 },
        ],
      },
    ]
  })
}
