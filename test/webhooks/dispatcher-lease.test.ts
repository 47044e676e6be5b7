import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../support/until.ts'
import { dispatch, endpointOf, leaseMs, refreshMs, toLead, toLeadAfterWrite } from '../support/dispatcher-looks.ts'

test('without webhooks nobody leads, and all of none are healthy', async (t) => {
  const { look, shop, dispatcher, failures } = dispatch(t, [])
  assert.equal(dispatcher.stats(), undefined)

  assert.deepEqual(await look(), ['enabled'])
  shop.version++
  assert.deepEqual(await look(refreshMs), ['enabled'])
  assert.deepEqual(dispatcher.stats(), { healthy: 0, failing: 0, oldestUndeliveredMs: 0 })
  dispatcher.retryDue()
  assert.deepEqual([failures, dispatcher.failingSince()], [[], undefined])
})

test('while another process leads, the lease is asked for again and again, by the interval of the webhooks', async (t) => {
  const { look, shop, dispatcher, failures } = dispatch(t, [endpointOf(1n)])
  shop.lease = undefined

  assert.deepEqual(await look(), ['enabled', `acquire ${leaseMs}`])
  assert.deepEqual(await look(), [])
  assert.deepEqual(await look(refreshMs), ['enabled', `acquire ${leaseMs}`])
  assert.equal(dispatcher.stats(), undefined)
  shop.lease = { holder: 'a', generation: 2n }
  assert.deepEqual(await look(refreshMs), toLead)
  assert.deepEqual([dispatcher.stats()?.healthy, failures], [1, []])
})

test('a process whose last webhook is gone gives the lease back, and takes it again for the next', async (t) => {
  const { look, shop, dispatcher } = dispatch(t, [endpointOf(1n)])
  await look()
  shop.endpoints = []
  shop.version++

  assert.deepEqual(await look(refreshMs), ['enabled', 'release'])
  assert.deepEqual(dispatcher.stats(), { healthy: 0, failing: 0, oldestUndeliveredMs: 0 })
  shop.endpoints = [endpointOf(2n)]
  shop.version++
  assert.deepEqual(await look(refreshMs), toLeadAfterWrite)
})

test('a process that has lost the lease asks for it again', async (t) => {
  const { look, shop, dispatcher, happen } = dispatch(t, [{ ...endpointOf(1n), types: new Set() }])
  await look()
  shop.isHeld = false
  happen()
  await look()
  // The position of a webhook that wants no event is stored once a minute.
  await look(60_000)
  await until(() => dispatcher.stats() === undefined)

  shop.isHeld = true
  assert.deepEqual((await look(refreshMs)).slice(0, toLead.length), toLead)
})

test('a process that was stopped gives the lease back, and looks no more', async (t) => {
  const { dispatcher, look, calls, shop } = dispatch(t, [endpointOf(1n)])
  await look()
  calls.length = 0
  await dispatcher.stop()
  assert.deepEqual([calls, dispatcher.stats()], [['release'], undefined])

  shop.version++
  assert.deepEqual(await look(refreshMs), [])
})

test('a process that is stopped during a look ends it first', async (t) => {
  const { dispatcher, calls } = dispatch(t, [endpointOf(1n)])
  void dispatcher.tick()
  await dispatcher.stop()

  assert.deepEqual(calls, [...toLeadAfterWrite, 'release'])
})
