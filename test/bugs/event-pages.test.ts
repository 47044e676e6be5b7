import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from '../../src/inventory/keys.ts'
import { combine } from '../../src/sandbox/bugs/bug.ts'
import { eventBugs } from '../../src/sandbox/bugs/events.ts'
import { openInMemory } from '../../src/storage/sqlite/open-in-memory.ts'

const limit = 10
const ownKey: ApiKey = { id: 'sandbox_a', name: 'a', permission: 'admin', createdAt: 0 }

/** A shop with a page of deletes between other events. */
async function openShop() {
  const clock = () => 0
  const storage = openInMemory({ clock })
  const pet = { name: 'Rex', categoryId: 1n }
  for (let id = 1n; id <= 15n; id++) await storage.pets.create(pet)
  for (let id = 1n; id <= 15n; id++) await storage.pets.remove(id)
  await storage.pets.create(pet)
  return {
    storage,
    eventsWith: (bug: (typeof eventBugs)[number]) => combine([bug.make({ clock, ownKey })]).ports(storage).events,
  }
}

test('with any bug of the events, a page that is not the last one brings its reader forward: a stream never turns in place', async (t) => {
  const { storage, eventsWith } = await openShop()
  t.after(() => storage.close())
  const { id: latest } = await storage.events.latest()

  for (const bug of eventBugs) {
    const { list } = eventsWith(bug)
    for (let after = 0n; after < latest; after++) {
      const { items, more } = await list(limit, after)
      assert.ok(!more || (items.at(-1)?.id ?? after) > after, `${bug.name} after ${after}`)
    }
  }
})

test('with any bug of the events, a reader who has all of them has missed nothing', async (t) => {
  const { storage, eventsWith } = await openShop()
  t.after(() => storage.close())
  const { id, lineage } = await storage.events.latest()

  for (const bug of eventBugs) {
    const { items, missed, more } = await eventsWith(bug).list(limit, id, lineage)
    assert.deepEqual([bug.name, items, missed, more], [bug.name, [], false, false])
  }
})
