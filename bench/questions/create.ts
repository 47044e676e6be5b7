import { deepEqual, equal } from 'node:assert/strict'
import type { Dialect } from '../dialect.ts'
import { animal } from '../data.ts'
import type { Measured } from '../measure.ts'
import { count as digits, goal, ratio } from '../report.ts'
import type { Request } from '../requests.ts'
import type { Server } from '../servers.ts'
import { type Throughput, throughput } from './throughput.ts'

export const creating: Throughput = {
  name: 'create',
  title: 'create, durable, 64 connections',
  meaning:
    'A new animal each. Ours, Fastify + node:sqlite and Hono on Bun answer after an fsync; json-server writes its whole ' +
    'file without one; bare, the other Fastify and Prism keep nothing.',
  expected: 201,
  requests: newAnimals,
  check(answer) {
    const { id, ...rest } = answer as Record<string, unknown>
    equal(typeof id, 'number')
    deepEqual(rest, body(1))
  },
  watch: countBeforeAndAfter,
  goals(samples) {
    const peers = {
      'hono-bun': { title: 'Hono on Bun', least: 1.5, most: 0.8 },
      'fastify-sqlite': { title: 'Fastify + node:sqlite', least: 2.2, most: 0.5 },
    }
    const ours = samples.get('ours')
    return Object.entries(peers).flatMap(([name, { title, least, most }]) => {
      const peer = samples.get(name)
      if (ours === undefined || peer === undefined) return []
      const [rate, cpu] = [ours.perSecond / peer.perSecond, ours.cpu / peer.cpu]
      return [
        goal(`create: at least ${least} × the rate of ${title}`, ratio(rate), rate >= least),
        goal(`create: CPU at most ${most} × ${title}`, ratio(cpu), cpu <= most),
      ]
    })
  },
}

export const create = throughput(creating)

export function newAnimals({ create }: Dialect): Request[] | undefined {
  if (create === undefined) return undefined
  return Array.from({ length: 1_000 }, (_, index) => ({
    method: 'POST',
    path: create,
    body: JSON.stringify(body(index + 1)),
  }))
}

function body(id: number): object {
  const { name, categoryId, status } = animal(id)
  return { name, categoryId, status }
}

// A server that says 201 for what it has not stored would win this row.
async function countBeforeAndAfter(servers: readonly Server[]): Promise<(measured: Measured) => Promise<string[]>> {
  const count = () => Promise.all(servers.map(async ({ stored }) => stored?.()))
  const before = await count()
  return async ({ answered, failures, notes }) => {
    const after = await count()
    return servers.flatMap(({ column }, index) => {
      const [first, last] = [before[index], after[index]]
      if (first === undefined || last === undefined || failures.has(column.name)) return []
      const stored = last - first
      const acknowledged = answered.get(column.name) ?? 0
      if (stored !== acknowledged) {
        notes.push(`**${column.name} failed**: what it acknowledged is not what it stored.`)
      }
      return [`${column.title}: ${digits(acknowledged)} acknowledged, ${digits(stored)} found in its database.`]
    })
  }
}
