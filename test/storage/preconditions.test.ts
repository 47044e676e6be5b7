import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { encodeCategory } from '../../src/contract/category.ts'
import { encodeOrder } from '../../src/contract/order.ts'
import { encodePet } from '../../src/contract/pet.ts'
import { entityTag, type Precondition } from '../../src/inventory/precondition.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { engines } from '../support/engines.ts'

// What JSON has to escape, and what UTF-8 spells with several bytes: an engine that makes its own wire form must not
// differ.
const name = 'Rex "\\/\b\f\n\r\t\u0001\u001f\u007f\u2028 é e\u0301 🐕 \u202e'
const other = '"another"'

interface Resource {
  /** Changes the resource with the id 1, under a precondition. */
  change: (storage: Storage, precondition: Precondition) => Promise<{ outcome: string }>
  tag: (storage: Storage) => Promise<string>
  done: string
}

const resources: Record<string, Resource> = {
  'an animal that is changed': {
    change: ({ pets }, precondition) => pets.update(1n, { name: 'Max' }, precondition),
    tag: tagOfPet,
    done: 'updated',
  },
  'an animal that is removed': {
    change: ({ pets }, precondition) => pets.remove(1n, precondition),
    tag: tagOfPet,
    done: 'removed',
  },
  'an order that is closed': {
    change: ({ orders }, precondition) => orders.update(1n, { status: 'completed' }, precondition),
    async tag({ orders }) {
      const order = await orders.find(1n)
      return entityTag(order === undefined ? '' : encodeOrder(order))
    },
    done: 'updated',
  },
  'a category that is put': {
    change: ({ categories }, precondition) => categories.put({ id: 1n, name: 'Hounds' }, precondition),
    tag: tagOfCategory,
    done: 'renamed',
  },
  'a category that is removed': {
    change: ({ categories }, precondition) => categories.remove(1n, precondition),
    tag: tagOfCategory,
    done: 'removed',
  },
}

const cases: Record<string, { precondition: (tag: string) => Precondition; holds: boolean }> = {
  none: { precondition: () => ({}), holds: true },
  'If-Match with its tag': { precondition: (tag) => ({ match: [tag] }), holds: true },
  'If-Match with its tag among others': { precondition: (tag) => ({ match: [other, tag] }), holds: true },
  'If-Match with another tag': { precondition: () => ({ match: [other] }), holds: false },
  'If-Match with no tag': { precondition: () => ({ match: [] }), holds: false },
  'If-Match: *': { precondition: () => ({ match: ['*'] }), holds: true },
  'If-None-Match with its tag': { precondition: (tag) => ({ noneMatch: [tag] }), holds: false },
  'If-None-Match with its tag among others': { precondition: (tag) => ({ noneMatch: [other, tag] }), holds: false },
  'If-None-Match with another tag': { precondition: () => ({ noneMatch: [other] }), holds: true },
  'If-None-Match: *': { precondition: () => ({ noneMatch: ['*'] }), holds: false },
  'both, both true': { precondition: (tag) => ({ match: [tag], noneMatch: [other] }), holds: true },
  'both, the first false': { precondition: () => ({ match: [other], noneMatch: [other] }), holds: false },
  'both, the second false': { precondition: (tag) => ({ match: [tag], noneMatch: [tag] }), holds: false },
}

for (const engine of engines) {
  for (const [what, { change, tag, done }] of Object.entries(resources)) {
    test(`${engine.name}: a precondition guards ${what}`, async (t) => {
      for (const [which, { precondition, holds }] of Object.entries(cases)) {
        await t.test(which, async (inner) => {
          const storage = await openShop(inner, engine)
          const before = await tag(storage)
          const version = storage.version()

          const { outcome } = await change(storage, precondition(before))

          assert.equal(outcome, holds ? done : 'unmet')
          assert.equal((await tag(storage)) === before, !holds)
          if (!holds) assert.equal(storage.version(), version)
        })
      }
    })
  }

  test(`${engine.name}: an unknown category matches If-None-Match and no If-Match`, async (t) => {
    const { categories } = await engine.open(t)
    const dogs = { id: 7n, name: 'Dogs' }

    for (const match of [['*'], [other], []])
      assert.deepEqual(await categories.put(dogs, { match }), { outcome: 'unmet' })
    assert.equal(await categories.find(7n), undefined)

    assert.deepEqual(await categories.put(dogs, { noneMatch: ['*'] }), { outcome: 'added' })
    assert.deepEqual(await categories.put(dogs, { noneMatch: ['*'] }), { outcome: 'unmet' })
    assert.deepEqual(await categories.put({ id: 8n, name: 'Cats' }, { noneMatch: [other] }), { outcome: 'added' })
  })

  test(`${engine.name}: if many clients create a category with If-None-Match: *, exactly one succeeds`, async (t) => {
    const { categories } = await engine.open(t)

    const puts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => categories.put({ id: 1n, name: `${index}` }, { noneMatch: ['*'] })),
    )

    const added = puts.flatMap(({ outcome }, index) => (outcome === 'added' ? [index] : []))
    assert.equal(added.length, 1)
    assert.equal(puts.filter(({ outcome }) => outcome === 'unmet').length, 19)
    assert.deepEqual(await categories.find(1n), { id: 1n, name: `${added[0]}` })
  })

  test(`${engine.name}: an unknown id is missing, whatever the precondition`, async (t) => {
    const { pets, orders, categories } = await engine.open(t)

    for (const precondition of [{ match: ['*'] }, { match: [other] }, { noneMatch: ['*'] }]) {
      assert.deepEqual(await pets.update(1n, {}, precondition), { outcome: 'missing' })
      assert.deepEqual(await pets.remove(1n, precondition), { outcome: 'missing' })
      assert.deepEqual(await orders.update(1n, { status: 'completed' }, precondition), { outcome: 'missing' })
      assert.deepEqual(await categories.remove(1n, precondition), { outcome: 'missing' })
    }
  })

  test(`${engine.name}: a precondition is checked before the status of an order`, async (t) => {
    const { orders } = await openShop(t, engine)
    await orders.update(1n, { status: 'cancelled' })

    const update = await orders.update(1n, { status: 'completed' }, { match: [other] })

    assert.deepEqual(update, { outcome: 'unmet' })
  })
}

/** A shop with one animal, one order, which is for another one, and one category, each with the id 1. */
async function openShop(t: TestContext, engine: (typeof engines)[number]): Promise<Storage> {
  const storage = await engine.open(t)
  await storage.pets.create({ name, categoryId: -9223372036854775808n })
  await storage.pets.create({ name: 'Tom', categoryId: 2n, status: 'available' })
  await storage.orders.place({ petId: 2n })
  await storage.categories.put({ id: 1n, name })
  return storage
}

async function tagOfCategory({ categories }: Storage): Promise<string> {
  const category = await categories.find(1n)
  return entityTag(category === undefined ? '' : encodeCategory(category))
}

async function tagOfPet({ pets }: Storage): Promise<string> {
  const pet = await pets.find(1n)
  return entityTag(pet === undefined ? '' : encodePet(pet))
}
