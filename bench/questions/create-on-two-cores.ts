import { cpus } from 'node:os'
import type { Bench } from '../measure.ts'
import { keepOn } from '../processes.ts'
import { count, goal, ratio } from '../report.ts'
import { creating } from './create.ts'
import type { Question } from './question.ts'
import { throughput } from './throughput.ts'

const measured = throughput({
  ...creating,
  name: 'create-2',
  title: 'create, durable, a second core',
  meaning:
    'The same with a second core for the servers: the third of the machine, or that of the load where there are two. ' +
    'Ours writes on a thread of its own.',
  goals(samples) {
    const [ours, nothing] = [samples.get('ours'), samples.get('fastify-nothing')]
    if (ours === undefined || nothing === undefined) return []
    const times = ours.perSecond / nothing.perSecond
    const rate = `${ratio(times)} (${count(ours.perSecond)}/s)`
    return [goal('create, a second core: at least 0.6 × the Fastify that stores nothing', rate, times >= 0.6)]
  },
})

export const createOnTwoCores: Question = {
  ...measured,
  async answer(bench) {
    place(bench, coresOfTwo(bench))
    try {
      return await measured.answer(bench)
    } finally {
      place(bench, [bench.options.cores.server])
    }
  },
}

/** The usual core of the servers and a second one. */
export function coresOfTwo({ options: { cores } }: Bench): number[] {
  const spare = cpus().findIndex((_, core) => core !== cores.server && core !== cores.load)
  return [cores.server, spare === -1 ? cores.load : spare]
}

function place({ servers }: Bench, cores: number[]): void {
  for (const { pid } of servers) keepOn(cores, pid)
}
