import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodePet, type Pet } from '../../src/contract/pet.ts'
import { entityTag, type Precondition } from '../../src/inventory/precondition.ts'
import { engines } from '../support/engines.ts'
import { created, fill, idsOf, names, rex } from '../support/stored-pets.ts'

for (const engine of engines) {
  test(`${engine.name}: update changes only the given members`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    const renamed = await pets.update(1n, { name: 'Max' })
    const moved = await pets.update(1n, { categoryId: int64Min })
    const sold = await pets.update(1n, { status: 'sold' })

    assert.deepEqual(renamed, { outcome: 'updated', pet: { ...rex, id: 1n, name: 'Max' } })
    assert.deepEqual(moved, { outcome: 'updated', pet: { ...rex, id: 1n, name: 'Max', categoryId: int64Min } })
    assert.deepEqual(sold, { outcome: 'updated', pet: { id: 1n, name: 'Max', categoryId: int64Min, status: 'sold' } })
    assert.deepEqual(await pets.find(1n), { id: 1n, name: 'Max', categoryId: int64Min, status: 'sold' })
  })

  test(`${engine.name}: update can change all members, of one animal only`, async (t) => {
    const { pets } = await engine.open(t)
    const [first, , third] = await fill(pets, 3)
    const change = { name: 'Max', categoryId: 9n, status: 'sold' } as const

    const update = await pets.update(2n, change)

    assert.deepEqual(update, { outcome: 'updated', pet: { id: 2n, ...change } })
    assert.deepEqual((await pets.list({}, 20, 0n)).items, [first, { id: 2n, ...change }, third])
  })

  test(`${engine.name}: update with a status of null removes the status`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    const update = await pets.update(1n, { status: null })

    assert.deepEqual(update, { outcome: 'updated', pet: { id: 1n, name: 'Rex', categoryId: 1n } })
    assert.deepEqual(await pets.find(1n), { id: 1n, name: 'Rex', categoryId: 1n })
    assert.equal(await pets.count({ status: 'available' }), 0n)
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: update gives a status to an animal that had none`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Coco', categoryId: 4n })

    await pets.update(1n, { status: 'sold' })

    assert.deepEqual((await pets.list({ status: 'sold' }, 20, 0n)).items, [
      { id: 1n, name: 'Coco', categoryId: 4n, status: 'sold' },
    ])
  })

  test(`${engine.name}: update returns, byte for byte, a name with`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    for (const [what, name] of Object.entries(names)) {
      await t.test(what, async () => {
        const update = await pets.update(1n, { name })

        assert.equal('pet' in update && update.pet.name, name)
        assert.equal((await pets.find(1n))?.name, name)
      })
    }
  })

  test(`${engine.name}: list and count show an update`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 6)

    await pets.update(1n, { status: 'sold', categoryId: 7n })

    assert.deepEqual(idsOf((await pets.list({ status: 'available' }, 20, 0n)).items), [4n])
    assert.deepEqual(idsOf((await pets.list({ status: 'sold' }, 20, 0n)).items), [1n, 3n, 6n])
    assert.deepEqual(idsOf((await pets.list({ categoryId: 7n, status: 'sold' }, 20, 0n)).items), [1n])
    assert.equal(await pets.count({ status: 'available' }), 1n)
    assert.equal(await pets.count({ status: 'sold' }), 3n)
    assert.equal(await pets.count({ categoryId: 1n }), 2n)
    assert.equal(await pets.count({ categoryId: 7n }), 1n)
    assert.equal(await pets.count({}), 6n)
  })

  test(`${engine.name}: concurrent updates of different members all succeed`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    await Promise.all([
      pets.update(1n, { name: 'Max' }),
      pets.update(1n, { categoryId: 9n }),
      pets.update(1n, { status: 'sold' }),
    ])

    assert.deepEqual(await pets.find(1n), { id: 1n, name: 'Max', categoryId: 9n, status: 'sold' })
  })

  test(`${engine.name}: update with the current tag succeeds`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex))

    const update = await pets.update(1n, { name: 'Max' }, { match: ['"another"', entityTag(encodePet(pet))] })

    assert.equal(update.outcome, 'updated')
  })

  test(`${engine.name}: update with other tags is refused and changes nothing`, async (t) => {
    const { pets, version } = await engine.open(t)
    const { pet } = created(await pets.create(rex))
    await pets.update(1n, { name: 'Max' })
    const before = version()

    const outdated = await pets.update(1n, { status: 'sold' }, { match: [entityTag(encodePet(pet)), '"another"'] })
    const none = await pets.update(1n, { status: 'sold' }, { match: [] })

    assert.deepEqual([outdated, none], [{ outcome: 'unmet' }, { outcome: 'unmet' }])
    assert.deepEqual(await pets.find(1n), { ...pet, name: 'Max' })
    assert.equal(version(), before)
  })

  test(`${engine.name}: of concurrent updates with the same tag exactly one succeeds`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex))
    const expected = { match: [entityTag(encodePet(pet))] }

    const updates = await Promise.all(
      Array.from({ length: 50 }, (_none, index) => pets.update(1n, { name: `Rex ${index}` }, expected)),
    )

    const updated = updates.filter(({ outcome }) => outcome === 'updated')
    assert.equal(updated.length, 1)
    assert.equal(updates.filter(({ outcome }) => outcome === 'unmet').length, 49)
    assert.deepEqual(updated, [{ outcome: 'updated', pet: await pets.find(1n) }])
  })

  test(`${engine.name}: no update is lost if every update has the tag that was read`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ ...rex, name: '0' })

    async function countUp(): Promise<void> {
      for (let counted = 0; counted < 10; ) {
        const pet = (await pets.find(1n)) as Pet
        const change = { name: String(Number(pet.name) + 1) }
        const { outcome } = await pets.update(1n, change, { match: [entityTag(encodePet(pet))] })
        if (outcome === 'updated') counted++
      }
    }
    await Promise.all(Array.from({ length: 5 }, countUp))

    assert.equal((await pets.find(1n))?.name, '50')
  })

  for (const [what, change] of Object.entries({ 'no member': {}, 'the members as they are': rex })) {
    test(`${engine.name}: update with ${what} succeeds and writes nothing`, async (t) => {
      const { pets, version } = await engine.open(t)
      const { pet } = created(await pets.create(rex))
      const before = version()

      const update = await pets.update(1n, change)

      assert.deepEqual(update, { outcome: 'updated', pet })
      assert.equal(version(), before)
    })
  }

  for (const change of ['update', 'remove'] as const) {
    test(`${engine.name}: ${change} of an unknown animal is missing, whatever the precondition`, async (t) => {
      const { pets } = await engine.open(t)
      await pets.create(rex)
      const changes = {
        update: (id: bigint, precondition?: Precondition) => pets.update(id, { name: 'Max' }, precondition),
        remove: (id: bigint, precondition?: Precondition) => pets.remove(id, precondition),
      }

      for (const id of [0n, -1n, 2n, int64Max, int64Min]) {
        assert.deepEqual(await changes[change](id), { outcome: 'missing' })
        assert.deepEqual(await changes[change](id, { match: ['"anything"'] }), { outcome: 'missing' })
      }
    })
  }

  test(`${engine.name}: the status of an animal with an open order cannot be updated`, async (t) => {
    const { pets, orders, version } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })
    const before = version()

    const updates = [
      await pets.update(1n, { status: 'available' }),
      await pets.update(1n, { status: 'sold' }),
      await pets.update(1n, { status: null }),
      await pets.update(1n, { name: 'Max', status: 'sold' }),
    ]

    assert.deepEqual(
      updates,
      updates.map(() => ({ outcome: 'ordered' })),
    )
    assert.deepEqual(await pets.find(1n), { ...rex, id: 1n, status: 'pending' })
    assert.equal(version(), before)
  })

  test(`${engine.name}: other members of an animal with an open order can be updated`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })

    const update = await pets.update(1n, { name: 'Max', categoryId: 2n, status: 'pending' })
    const unchanged = await pets.update(1n, { status: 'pending' })

    const pet = { id: 1n, name: 'Max', categoryId: 2n, status: 'pending' }
    assert.deepEqual(update, { outcome: 'updated', pet })
    assert.deepEqual(unchanged, { outcome: 'updated', pet })
  })

  test(`${engine.name}: the status of an animal can be updated after its order is closed`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })
    await orders.update(1n, { status: 'completed' })

    const update = await pets.update(1n, { status: 'available' })

    assert.deepEqual(update, { outcome: 'updated', pet: { id: 1n, ...rex } })
  })

  test(`${engine.name}: a precondition is checked before open orders`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })

    assert.deepEqual(await pets.update(1n, { status: 'sold' }, { match: ['"another"'] }), { outcome: 'unmet' })
    assert.deepEqual(await pets.remove(1n, { match: ['"another"'] }), { outcome: 'unmet' })
  })
}
