import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { NewPet, Pet } from '../../src/contract/pet.ts'
import type { Pets } from '../../src/inventory/pets.ts'
import { engines } from '../support/engines.ts'
import { idempotencyKey, created, fill, idsOf, names, rex } from '../support/stored-pets.ts'

for (const engine of engines) {
  test(`${engine.name}: find resolves to the animal with this id`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 3)

    assert.deepEqual(await pets.find(2n), all[1])
  })

  test(`${engine.name}: find resolves to undefined for an unknown id`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    for (const id of [0n, -1n, 4n, int64Max, int64Min]) assert.equal(await pets.find(id), undefined)
  })

  test(`${engine.name}: create resolves to the animal with its new id`, async (t) => {
    const { pets } = await engine.open(t)

    const creation = await pets.create(rex)

    assert.deepEqual(creation, { outcome: 'created', pet: { id: 1n, ...rex } })
  })

  test(`${engine.name}: an animal can be read as soon as create resolves`, async (t) => {
    const { pets } = await engine.open(t)

    const { pet } = created(await pets.create(rex))

    assert.deepEqual(await pets.find(pet.id), pet)
    assert.deepEqual((await pets.list({}, 20, 0n)).items, [pet])
  })

  test(`${engine.name}: create assigns the ids 1, 2, 3`, async (t) => {
    const { pets } = await engine.open(t)

    const all = await fill(pets, 3)

    assert.deepEqual(idsOf(all), [1n, 2n, 3n])
  })

  test(`${engine.name}: two animals may have the same name`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)
    await pets.create(rex)

    const { items } = await pets.list({}, 20, 0n)

    assert.deepEqual(items, [
      { id: 1n, ...rex },
      { id: 2n, ...rex },
    ])
  })

  test(`${engine.name}: create and every read return`, async (t) => {
    const { pets } = await engine.open(t)

    for (const categoryId of [int64Min, int64Max, 2n ** 53n + 1n, -(2n ** 53n) - 1n, -1n, 0n]) {
      await t.test(`the digits of categoryId ${categoryId}`, async () => {
        const forms = await everyForm(pets, { name: 'Rex', categoryId })

        for (const form of forms) assert.equal(form?.categoryId, categoryId)
        assert.equal(await pets.count({ categoryId }), 1n)
      })
    }

    for (const [what, name] of Object.entries(names)) {
      await t.test(`byte for byte a name with ${what}`, async () => {
        const forms = await everyForm(pets, { name, categoryId: 1n })

        for (const form of forms) assert.equal(form?.name, name)
      })
    }

    await t.test('no status where none was given', async () => {
      const forms = await everyForm(pets, { name: 'Coco', categoryId: 4n })

      for (const form of forms) assert.ok(form !== undefined && !('status' in form))
    })
  })

  test(`${engine.name}: a hundred concurrent creates get a hundred different ids`, async (t) => {
    const { pets } = await engine.open(t)

    const creations = await Promise.all(
      Array.from({ length: 100 }, (_none, index) => pets.create({ name: `pet ${index}`, categoryId: 1n })),
    )

    assert.equal(new Set(creations.map((creation) => created(creation).pet.id)).size, 100)
    assert.equal(await pets.count({}), 100n)
  })

  test(`${engine.name}: concurrent creates return each caller its own animal`, async (t) => {
    const { pets } = await engine.open(t)

    const creations = await Promise.all(
      Array.from({ length: 50 }, (_none, index) => pets.create({ name: `pet ${index}`, categoryId: 1n })),
    )

    for (const [index, creation] of creations.entries()) {
      const { pet } = created(creation)
      assert.equal(pet.name, `pet ${index}`)
      assert.deepEqual(await pets.find(pet.id), pet)
    }
  })
}

/** One animal as create answers it, as find and list read it, and as a replay tells it. */
async function everyForm(pets: Pets, pet: NewPet): Promise<(Pet | undefined)[]> {
  const named = { ...idempotencyKey, name: `${pet.name} ${pet.categoryId}` }
  const { pet: first } = created(await pets.create(pet, named))
  const { pet: replayed } = created(await pets.create(pet, named))
  const { items } = await pets.list({}, 1, first.id - 1n)
  return [first, replayed, await pets.find(first.id), items[0]]
}
