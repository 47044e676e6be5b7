import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { type Cost, measureInTurn, type Row, rows } from '../../bench/in-turn.ts'
import { canBeUrgent } from '../../bench/processes.ts'
import { ratios, recordedFor, tolerance } from '../../bench/recorded.ts'
import { temporaryFolder } from '../support/engines.ts'

const recorded = recordedFor(process.arch)
const cores = { server: 0, load: 1 }
const hasCores = Object.values(cores).every((core) => spawnSync('taskset', ['-c', `${core}`, 'true']).status === 0)
/** Other programs only add to a cost: the least of several attempts is the truest one. */
const attempts = 3

const skip =
  recorded === undefined
    ? `NOT MEASURED: bench/recorded.json has nothing for ${process.arch}`
    : !hasCores && 'NOT MEASURED: needs Linux, taskset (util-linux) and two cores'

test('a request allocates, and computes, no more than recorded, in comparison to bare node:http', {
  skip,
}, async (t) => {
  // Not beside other tests: while it is measured, they would hardly run.
  const isUrgent = process.env['PETSTORE_TEST_SPEED'] === '1' && canBeUrgent()
  if (!isUrgent) t.diagnostic('CPU IS NOT COMPARED: npm run test:speed does, as a user who may use chrt --rr')
  const names = Object.keys(rows) as Row[]
  const limits = new Map(names.map((row) => [row, times(recorded?.[row] as Cost, tolerance)]))
  const least = new Map<Row, Cost>()

  const tooCostly = () =>
    names.filter((row) => {
      const [cost, limit] = [least.get(row), limits.get(row)] as [Cost | undefined, Cost]
      return cost === undefined || cost.bytes > limit.bytes || (isUrgent && cost.cpu > limit.cpu)
    })
  for (let attempt = 0; attempt < attempts && tooCostly().length > 0; attempt++) {
    const costs = await measureInTurn({ folder: temporaryFolder(t), rounds: 12, cores, rows: tooCostly(), isUrgent })
    for (const [row, byColumn] of costs) least.set(row, leastOf(least.get(row), ratios(byColumn)))
  }

  for (const [row, { cpu, bytes }] of least)
    t.diagnostic(`${row}: CPU ${cpu.toFixed(2)} ×, bytes ${bytes.toFixed(2)} ×`)
  assert.deepEqual(
    tooCostly().map((row) => ({ row, cost: least.get(row), limit: limits.get(row) })),
    [],
  )
})

function times({ cpu, bytes }: Cost, factor: number): Cost {
  return { cpu: cpu * factor, bytes: bytes * factor }
}

function leastOf(one: Cost | undefined, other: Cost): Cost {
  return one === undefined ? other : { cpu: Math.min(one.cpu, other.cpu), bytes: Math.min(one.bytes, other.bytes) }
}
