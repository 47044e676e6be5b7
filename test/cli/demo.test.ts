import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { addDemoAnimals } from '../../src/cli/serving/demo.ts'
import { sqliteInMemory } from '../support/engines.ts'

test('a demo shop has an order with a customer for every animal that is pending or sold', async (t) => {
  const storage = await sqliteInMemory.open(t)
  // An empty shop may have had animals: their ids are not given again.
  await storage.pets.create({ name: 'Gone', categoryId: 1n })
  await storage.pets.remove(1n)

  const added = await addDemoAnimals(storage)

  const pets = (await storage.pets.list({}, 100, 0n)).items
  const orders = (await storage.orders.list({}, 100, 0n)).items
  const withStatus = (petStatus: string) => pets.filter(({ status }) => status === petStatus)
  const namesOf = (petStatus: string) => withStatus(petStatus).map(({ name }) => name)
  const idsOf = (petStatus: string) => withStatus(petStatus).map(({ id }) => id)
  const orderedIds = (orderStatus: string) =>
    orders.flatMap(({ petId, status, customer }) => (status === orderStatus && customer !== undefined ? [petId] : []))
  assert.equal(added, pets.length)
  assert.deepEqual([namesOf('pending'), namesOf('sold')], [['Luna', 'Kiwi'], ['Tom']])
  assert.deepEqual(orderedIds('placed'), idsOf('pending'))
  assert.deepEqual(orderedIds('completed'), idsOf('sold'))
  const authors = (await storage.events.list(100, 2n)).items.map(({ author }) => author)
  assert.deepEqual(new Set(authors), new Set(['{"keyname":"command line"}']))
})

test('the first five minutes show what the program on that page prints', async (t) => {
  const page = readFileSync(new URL('../../docs/first-five-minutes.md', import.meta.url), 'utf8')
  const shown = /\$ node shop\.js\n(.*?)\n```/s.exec(page)?.[1]
  const storage = await sqliteInMemory.open(t)
  await addDemoAnimals(storage)
  await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })

  const { items } = await storage.pets.list({ status: 'available' }, 100, 0n)

  assert.match(page, /pets\.list\(\{ status: 'available' \}\)\) console\.log\(pet\.id, pet\.name\)/)
  assert.equal(shown, items.map(({ id, name }) => `${id} ${name}`).join('\n'))
})
