import type { Sample } from '../samples.ts'
import { type Goal, goal, ratio } from '../report.ts'

/** At most this multiple of bare `node:http` that sends as many headers. */
export function cpuBesideBare(title: string, most: number) {
  return (samples: ReadonlyMap<string, Sample>): Goal[] => {
    const [ours, bare] = [samples.get('ours'), samples.get('bare-headers')]
    if (ours === undefined || bare === undefined) return []
    const times = ours.cpu / bare.cpu
    return [goal(`${title}: CPU at most ${most} × bare node:http with the same headers`, ratio(times), times <= most)]
  }
}

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
