import { startPetStore } from '@petstore/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

let shop

beforeAll(async () => {
  shop = await startPetStore({ seed: 'demo' })
})
afterAll(() => shop?.stop())

test('a service that is not ready is asked again', async () => {
  await shop.faults([{ operation: 'listPets', fault: '503', times: 1 }])

  // Your software, with shop.url and shop.key.
  const pets = await Array.fromAsync(shop.client.pets.list({ status: 'available' }))

  expect(pets).not.toHaveLength(0)
  expect(await shop.journal({ operation: 'listPets' })).toHaveLength(2)
})
