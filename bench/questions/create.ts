import { deepEqual, equal } from 'node:assert/strict'
import type { Dialect } from '../columns.ts'
import { animal } from '../data.ts'
import { countAnimals } from '../fill.ts'
import type { Measured } from '../measure.ts'
import { count, goal, ratio } from '../report.ts'
import type { Request } from '../requests.ts'
import type { Server } from '../servers.ts'
import { throughput } from './throughput.ts'

export const create = throughput({
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
    const [ours, nothing] = [samples.get('ours'), samples.get('fastify-nothing')]
    if (ours === undefined || nothing === undefined) return []
    const times = ours.perSecond / nothing.perSecond
    const measured = `${ratio(times)} (${count(ours.perSecond)}/s)`
    return [goal('create: at least 0.8 × the Fastify that stores nothing', measured, times >= 0.8)]
  },
})

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
function countBeforeAndAfter(servers: readonly Server[]): (measured: Measured) => string[] {
  const before = servers.map(({ database }) => (database === undefined ? 0 : countAnimals(database)))
  return ({ answered, failures, notes }) =>
    servers.flatMap(({ column, database }, index) => {
      if (database === undefined || failures.has(column.name)) return []
      const stored = countAnimals(database) - (before[index] as number)
      const acknowledged = answered.get(column.name) ?? 0
      if (stored !== acknowledged) {
        notes.push(`**${column.name} failed**: what it acknowledged is not what it stored.`)
      }
      return [`${column.title}: ${count(acknowledged)} acknowledged, ${count(stored)} found in its database.`]
    })
}
