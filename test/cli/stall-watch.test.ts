import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchStall } from '../../src/cli/serving/deliveries/stall-watch.ts'

const second = 1_000
const attended = { unattendedSince: async () => undefined }

test('deliveries that fail for a moment do not stand still, those that fail longer do', async () => {
  const watch = watchStall(attended)
  const failingFor = (ms: number) => watch.ask(async () => ({ since: Date.now() - ms, reason: 'storage' }))

  assert.equal(await watch.find(), undefined)
  failingFor(5 * second)
  assert.equal(await watch.find(), undefined)
  failingFor(11 * second)
  assert.equal((await watch.find())?.reason, 'storage')
})

test('deliveries that nobody attends to stand still, also if the process that should does not respond', async () => {
  const watch = watchStall({ unattendedSince: async () => 7 })
  const unattended = { since: 7, reason: 'unattended' }

  assert.deepEqual(await watch.find(), unattended)
  watch.ask(() => Promise.reject(new Error('No response.')))
  assert.deepEqual(await watch.find(), unattended)
  watch.ask(async () => ({ since: 1, reason: 'thread' }))
  assert.deepEqual(await watch.find(), { since: 1, reason: 'thread' })
})
