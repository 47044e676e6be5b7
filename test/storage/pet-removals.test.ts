import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePet } from '../../src/contract/pet.ts'
import { entityTag } from '../../src/inventory/precondition.ts'
import { engines } from '../support/engines.ts'
import { created, fill, idsOf, isUnavailable, rex } from '../support/stored-pets.ts'

for (const engine of engines) {
  test(`${engine.name}: a removed animal is gone from every read`, async (t) => {
    const { pets } = await engine.open(t)
    const [first, , third] = await fill(pets, 3)

    const removal = await pets.remove(2n)

    assert.deepEqual(removal, { outcome: 'removed' })
    assert.equal(await pets.find(2n), undefined)
    assert.deepEqual((await pets.list({}, 20, 0n)).items, [first, third])
    assert.deepEqual((await pets.list({ status: 'pending' }, 20, 0n)).items, [])
    assert.deepEqual((await pets.list({ categoryId: 2n }, 20, 0n)).items, [])
    assert.deepEqual(
      await Promise.all([pets.count({}), pets.count({ status: 'pending' }), pets.count({ categoryId: 2n })]),
      [2n, 0n, 0n],
    )
  })

  test(`${engine.name}: an animal can be removed only once`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    const removals = await Promise.all(Array.from({ length: 20 }, () => pets.remove(1n)))

    assert.equal(removals.filter(({ outcome }) => outcome === 'removed').length, 1)
    assert.equal(removals.filter(({ outcome }) => outcome === 'missing').length, 19)
    assert.equal(await pets.count({}), 0n)
  })

  test(`${engine.name}: the id of a removed animal is never assigned again, not even the highest`, async (t) => {
    const { pets, imports } = await engine.open(t)
    await fill(pets, 3)
    await pets.remove(3n)
    await pets.remove(2n)

    const { pet } = created(await pets.create(rex))
    await pets.remove(1n)
    await pets.remove(4n)
    await imports.add([rex])

    assert.equal(pet.id, 4n)
    assert.deepEqual(idsOf((await pets.list({}, 20, 0n)).items), [5n])
  })

  test(`${engine.name}: remove with the current tag succeeds`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex))

    const removal = await pets.remove(1n, { match: [entityTag(encodePet(pet))] })

    assert.deepEqual(removal, { outcome: 'removed' })
  })

  test(`${engine.name}: remove with other tags is refused and removes nothing`, async (t) => {
    const { pets, version } = await engine.open(t)
    const { pet } = created(await pets.create(rex))
    const before = version()

    const removals = [await pets.remove(1n, { match: ['"another"'] }), await pets.remove(1n, { match: [] })]

    assert.deepEqual(removals, [{ outcome: 'unmet' }, { outcome: 'unmet' }])
    assert.deepEqual(await pets.find(1n), pet)
    assert.equal(version(), before)
  })

  test(`${engine.name}: an animal can be removed only without an open order`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })

    const ordered = await pets.remove(1n)
    const kept = await pets.find(1n)
    await orders.update(1n, { status: 'cancelled' })
    const removal = await pets.remove(1n)

    assert.deepEqual([ordered, removal], [{ outcome: 'ordered' }, { outcome: 'removed' }])
    assert.deepEqual(kept, { ...rex, id: 1n, status: 'pending' })
  })

  test(`${engine.name}: pages repeat and skip no animal while others are removed and added`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 12)
    const seen: bigint[] = []
    const removed = new Set<bigint>()

    for (let more = true; more; ) {
      const page = await pets.list({}, 2, seen.at(-1) ?? 0n)
      seen.push(...idsOf(page.items))
      const last = seen.at(-1) ?? 0n
      // The one that the next page would go on from, one that is still to come, and one more at the end.
      for (const id of [last, last + 2n]) if ((await pets.remove(id)).outcome === 'removed') removed.add(id)
      if (seen.length < 10) await pets.create(rex)
      more = page.more
    }

    const stayed = idsOf((await pets.list({}, 100, 0n)).items)
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      stayed.filter((id) => !seen.includes(id)),
      [],
    )
    assert.ok(removed.size > 0 && seen.some((id) => id > 12n), 'nothing was removed, or nothing added was seen')
  })

  test(`${engine.name}: update and remove after close are rejected as unavailable`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(async () => storage.pets.update(1n, { name: 'Max' }), isUnavailable)
    await assert.rejects(async () => storage.pets.remove(1n), isUnavailable)
  })
}
