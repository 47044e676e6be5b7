import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointState, newState } from '../../src/webhooks/endpoint-state.ts'
import { deliveryTurns } from '../../src/webhooks/turns.ts'

const endpoint = {
  url: 'https://shop.example/',
  format: 'json',
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: 1,
} as const
const stateOf = (id: bigint, attempts = 0): EndpointState => ({
  ...newState({ ...endpoint, id }, undefined, 0n),
  attempts,
})

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

test('after each event an endpoint goes to the end of the line', async () => {
  const ran: bigint[] = []
  const turns = deliveryTurns({
    mayStart: () => true,
    take: () => true,
    async run(state) {
      ran.push(state.endpoint.id)
      if (ran.length < 4) turns.add(state)
    },
    limits: { young: 1, failing: 1, total: 1 },
  })

  for (const id of [1n, 2n]) turns.add(stateOf(id))
  turns.startNext()
  while (ran.length < 5) await new Promise(setImmediate)

  assert.deepEqual(ran, [1n, 2n, 1n, 2n, 1n])
})

test('endpoints that failed before have their own places, and all that run are waited for', async () => {
  const ends: (() => void)[] = []
  const ran: bigint[] = []
  const turns = deliveryTurns({
    mayStart: () => true,
    take: () => true,
    run({ endpoint: { id } }) {
      ran.push(id)
      return new Promise((end) => ends.push(end))
    },
    limits: { young: 1, failing: 2, total: 9 },
  })
  for (const id of [1n, 2n, 3n]) turns.add(stateOf(id, 1))
  for (const id of [4n, 5n]) turns.add(stateOf(id))
  turns.startNext()
  assert.deepEqual(ran, [4n, 1n, 2n])

  let hasEnded = false
  void turns.ended().then(() => (hasEnded = true))
  ends[0]?.()
  await new Promise(setImmediate)
  assert.deepEqual([hasEnded, ran], [false, [4n, 1n, 2n, 5n]])
  for (const end of ends.slice(1)) end()
  await new Promise(setImmediate)

  assert.deepEqual([hasEnded, ran.at(-1)], [true, 3n])
})
