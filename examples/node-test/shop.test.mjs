import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startPetStore } from '@petstore/server/testing'

let shop

before(async () => {
  shop = await startPetStore({ seed: [{ id: 7, name: 'Rex', categoryId: 1, status: 'available' }] })
})
beforeEach(() => shop.reset())
after(() => shop?.stop())

test('a lost response adds one animal', async () => {
  await shop.faults([{ operation: 'createPet', fault: 'committed-then-cut', times: 1 }])

  // Your software, with shop.url and shop.key.
  await shop.client.pets.create({ name: 'Max', categoryId: 1 })

  assert.equal((await shop.journal({ operation: 'createPet' })).length, 2)
  assert.equal(await shop.client.pets.count(), 2)
})

test('every test begins with the seed', async () => {
  assert.equal((await shop.client.pets.find(7))?.name, 'Rex')
  assert.equal(await shop.client.pets.count(), 1)
})
