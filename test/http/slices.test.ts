import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slices } from '../../src/http/server/slices.ts'
import { until } from '../support/until.ts'

test('works for many connections run in their order, a few milliseconds of them in each tick', async () => {
  const later = slices()
  const ran: number[] = []
  let ticks = 0
  let next = setImmediate(function count() {
    ticks++
    next = setImmediate(count)
  })
  const millisecond = () => {
    for (const start = performance.now(); performance.now() < start + 1; );
  }

  for (let index = 0; index < 40; index++) {
    later(() => {
      millisecond()
      ran.push(index)
    })
  }
  assert.equal(ran.length, 0)
  await until(() => ran.length === 40)
  clearImmediate(next)

  assert.deepEqual(
    ran,
    Array.from({ length: 40 }, (_, index) => index),
  )
  assert.ok(ticks >= 10, `${ticks} ticks`)
})
