import assert from 'node:assert/strict'
import { test } from 'node:test'
import { welcome } from '../../src/cli/serving/welcome.ts'

const facts = {
  version: '1.0.0',
  environment: 'production',
  database: 'sqlite:./data/petstore.db',
  workers: 1,
  address: 'http://127.0.0.1:8080',
  demoAnimals: undefined,
}

test('the welcome of a shop in memory says that it is lost, and names no command that cannot reach it', () => {
  const inMemory = { ...facts, database: 'sqlite::memory:' }

  assert.match(welcome(inMemory), /in memory: lost when this process ends/)
  assert.doesNotMatch(welcome(inMemory), /npm run keys/)
  assert.match(welcome({ ...inMemory, firstKey: 'pet_live_1' }), /in memory: lost when this process ends/)
})

test('the welcome of a shop in a file says how to make another key, and not that it is lost', () => {
  assert.match(welcome(facts), /npm run keys -- create/)
  assert.doesNotMatch(welcome(facts), /lost/)
})
