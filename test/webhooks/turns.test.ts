import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointState, newState } from '../../src/webhooks/endpoint-state.ts'
import { deliveryTurns } from '../../src/webhooks/turns.ts'

const endpoint = { url: 'https://shop.example/', secret: 'whsec_', startsAfter: 0n, activeSince: 1 }
const stateOf = (id: bigint): EndpointState => newState({ ...endpoint, id }, undefined, 0n)

test('an endpoint that does not take its turn runs nothing, and the next one has it', async () => {
  const ran: bigint[] = []
  const turns = deliveryTurns({
    mayStart: () => true,
    take: ({ endpoint: { id } }) => id !== 1n,
    run: async ({ endpoint: { id } }) => void ran.push(id),
    limits: { young: 1, failing: 1, total: 1 },
  })

  for (const id of [1n, 2n, 3n]) turns.add(stateOf(id))
  turns.startNext()
  assert.deepEqual(ran, [2n])
  await turns.ended()

  assert.deepEqual(ran, [2n, 3n])
})

test('nothing starts while nothing may', () => {
  const turns = deliveryTurns({ mayStart: () => false, take: () => true, run: () => assert.fail('It started.') })

  turns.add(stateOf(1n))
  turns.startNext()
})
