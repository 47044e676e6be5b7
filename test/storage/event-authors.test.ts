import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAuthor } from '../../src/contract/event.ts'
import { copyStorage } from '../../src/storage/copy/copy.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'

const ada = encodeAuthor({ keyId: 'key_ada', keyName: 'Ada "at the till" 🐇', requestId: 'r-1' })
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

for (const engine of engines) {
  test(`${engine.name}: every event has the author of its change`, async (t) => {
    const { events, imports, orders, pets } = await engine.open(t)
    const by = (requestId: string) => encodeAuthor({ keyId: 'key_ada', keyName: 'Ada', requestId })
    await pets.create(rex, undefined, by('1'))
    await pets.create(rex, { keyId: 'key_ada', name: 'a', fingerprint: 'f' }, by('2'))
    await pets.update(1n, { name: 'Max' }, undefined, by('3'))
    await pets.remove(2n, undefined, by('4'))
    await orders.place({ petId: 1n }, undefined, by('5'))
    await orders.update(1n, { status: 'completed' }, undefined, by('6'))
    await imports.add([rex, rex], undefined, by('7'))

    const { items } = await events.list(20)

    const requests = ['1', '2', '3', '4', '5', '5', '6', '6', '7', '7']
    assert.deepEqual(
      items.map(({ author }) => author),
      requests.map(by),
    )
  })

  test(`${engine.name}: writes of one group keep their own authors`, async (t) => {
    const { events, pets } = await engine.open(t)
    const authors = Array.from({ length: 20 }, (_none, index) => encodeAuthor({ keyName: `key ${index}` }))

    await Promise.all(
      authors.map((author, index) => pets.create({ name: String(index), categoryId: 1n }, undefined, author)),
    )

    const { items } = await events.list(100)
    assert.deepEqual(
      items.map(({ author, data }) => [JSON.parse(data).name, author]),
      items.map(({ data }) => [JSON.parse(data).name, authors[JSON.parse(data).name]]),
    )
    assert.equal(items.length, authors.length)
  })

  test(`${engine.name}: an event without an author has none`, async (t) => {
    const { events, pets } = await engine.open(t)
    await pets.create(rex)
    await pets.update(1n, { name: 'Max' }, undefined, ada)

    const { items } = await events.listBackwards(20)

    assert.deepEqual(
      items.map((event) => ('author' in event ? event.author : 'none')),
      [ada, 'none'],
    )
  })
}

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
] as const) {
  test(`${from.name} to ${to.name}: a copy has the authors`, async (t) => {
    const [source, target] = [await from.url(t), await to.url(t)]
    const storage = await openStorage(source)
    await storage.pets.create(rex, undefined, ada)
    await storage.pets.create(rex)
    await storage.close()

    await copyStorage(source, target, () => undefined)

    const copy = await openStorage(target)
    t.after(() => copy.close())
    const { items } = await copy.events.list(20)
    assert.deepEqual(
      items.map(({ author }) => author),
      [ada, undefined],
    )
    assert.equal((await copy.events.list(20, undefined, undefined, { petId: 2n })).items.length, 1)
  })
}

test('sqlite: a write of a worker keeps its author', async (t) => {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const { relay } = storage
  assert.ok(relay !== undefined)
  const commit = async (group: unknown) => structuredClone(await relay.commit(structuredClone(group)))
  const worker = await openStorage(url, { relay: { ...relay, commit } })
  t.after(() => worker.close())

  await worker.pets.create(rex, undefined, ada)

  assert.equal((await storage.events.list(1)).items[0]?.author, ada)
})
