import { deepEqual, equal } from 'node:assert/strict'
import { animal } from '../data.ts'
import type { Question } from './question.ts'
import { throughput } from './throughput.ts'

const measured = throughput({
  name: 'order',
  title: 'order, durable, 64 connections',
  meaning:
    'An order for an available animal, another one each: one commit has the order, the status of the animal and both ' +
    'events. The others have no orders.',
  expected: 201,
  areSentOnce: true,
  requests({ order: path }, { animals }) {
    if (path === undefined) return undefined
    const ids = Array.from({ length: animals }, (_, index) => index + 1)
    return ids
      .filter((id) => animal(id).status === 'available')
      .map((petId) => ({ method: 'POST', path, body: JSON.stringify({ petId }) }))
  },
  check(answer) {
    const { id, petId, status, placedAt, updatedAt, ...rest } = answer as Record<string, unknown>
    deepEqual([typeof id, animal(petId as number).status, status, rest], ['number', 'available', 'placed', {}])
    equal(placedAt, updatedAt)
  },
})

export const order: Question = {
  ...measured,
  answer(bench) {
    const { slices, slice, warmUp } = bench.options
    // Short: the shop has 70,000 available animals, and nobody can order one twice.
    const limited = { slices: Math.min(slices, 9), slice: Math.min(slice, 330), warmUp: Math.min(warmUp, 700) }
    return measured.answer({ ...bench, options: { ...bench.options, ...limited } })
  },
}
