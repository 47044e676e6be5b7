import type { Sample } from '../samples.ts'
import { type Goal, goal, ratio } from '../report.ts'

/** The goals of a read that no cache helps: at most these multiples of what a peer needs. */
export function cpuBesidePeers(title: string, { fastify, hono }: { fastify: number; hono: number }) {
  const peers = { 'fastify-sqlite': ['Fastify + node:sqlite', fastify], 'hono-bun': ['Hono on Bun', hono] } as const
  return (samples: ReadonlyMap<string, Sample>): Goal[] =>
    Object.entries(peers).flatMap(([name, [peer, most]]) => {
      const [ours, other] = [samples.get('ours'), samples.get(name)]
      if (ours === undefined || other === undefined) return []
      const times = ours.cpu / other.cpu
      return [goal(`${title}: CPU at most ${most} × ${peer}`, ratio(times), times <= most)]
    })
}
