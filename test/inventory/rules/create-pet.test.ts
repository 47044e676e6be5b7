import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPet } from '../../../src/inventory/rules/create-pet.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'

const at = Date.UTC(2030, 0, 1)
const author = '{"keyname":"till"}'
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const key = { keyId: 'key_a', name: 'once', fingerprint: 'of Rex' }

test('a new pet has the next id', () => {
  const pet = { id: 8n, ...rex }

  assert.deepEqual(createPet(loadedFacts({ lastIds: { pets: 7n } }), { pet: rex, at, author }), {
    outcome: { outcome: 'created', pet },
    changes: [{ type: 'pet.created', pet, at, author }],
  })
})

test('a pet that is created with an idempotency key is remembered as it is answered', () => {
  const { changes } = createPet(loadedFacts({}), { pet: rex, idempotencyKey: key, at })

  const body = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
  assert.deepEqual(changes[1], { type: 'response.stored', key, body, at })
})

test('a create whose idempotency key was used before replays its answer and changes nothing', () => {
  const facts = loadedFacts({})
  const command = { pet: rex, idempotencyKey: key, at }
  for (const change of createPet(facts, command).changes) facts.apply(change)

  assert.deepEqual(createPet(facts, command), {
    outcome: { outcome: 'replayed', pet: { id: 1n, ...rex } },
    changes: [],
  })
})
