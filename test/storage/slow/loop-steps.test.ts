import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import type { Storage } from '../../../src/inventory/storage.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { csv } from '../../../src/transfer/formats/csv.ts'
import { encodePets } from '../../../src/transfer/encode-pets.ts'
import { sqlite } from '../../support/engines.ts'
import { ticksDuring } from '../../support/ticks.ts'

/** Only SQLite reads on the event loop. */
async function open(t: TestContext, names: readonly string[]): Promise<{ storage: Storage; db: DatabaseSync }> {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const db = new DatabaseSync(url.replace('sqlite:', ''))
  t.after(() => db.close())
  await storage.imports.add(names.map((name) => ({ name, categoryId: 1n })))
  return { storage, db }
}

/** As if every step of the event loop took long: each has one row. */
function endEveryStep(t: TestContext): void {
  let nowMs = 0
  t.mock.method(performance, 'now', () => (nowMs += 1_000))
}

const largeNames = (count: number) => Array.from({ length: count }, (_, index) => `${index} ${'x'.repeat(2_000)}`)

for (const [sort, expected] of [
  ['id', [1n, 2n, 3n, 4n, 5n]],
  ['-id', [6n, 5n, 4n, 3n, 2n]],
  ['name', [1n, 2n, 3n, 4n, 5n]],
  ['-name', [6n, 5n, 4n, 3n, 2n]],
] as const) {
  test(`a page by ${sort} that is read in steps has pets as they were when the first was read`, async (t) => {
    const { storage, db } = await open(t, largeNames(6))
    endEveryStep(t)

    const reading = storage.pets.list({ sort, categoryId: 1n }, 5, 0n)
    // By now the page of ids is read, and the first names.
    await nextLoopTick()
    await nextLoopTick()
    db.exec(`DELETE FROM pets WHERE id = 3; UPDATE pets SET category_id = 2 WHERE id = 4`)
    const { items } = await reading

    assert.deepEqual(
      items.map(({ id, name }) => [id, name.length]),
      expected.map((id) => [id, 2_002]),
    )
  })
}

test('events that expire while a page is read count as missed', async (t) => {
  const { storage, db } = await open(t, largeNames(4))
  const latest = await storage.events.latest()

  const reading = storage.events.list(10, 1n, latest.lineage)
  db.exec('DELETE FROM events WHERE id <= 3')
  const { items, missed } = await reading

  assert.equal(missed, true)
  assert.ok(items.every(({ id, data }) => id > 3n && typeof data === 'string'))
})

const hostileNames = Array.from({ length: 300 }, (_, index) => {
  return ['\ufdfa'.repeat(21_000), `e${'\u0301\u0323'.repeat(16_000)}`, 'é b '.repeat(13_000)][index % 3] as string
})

test('other work has its ticks while many large names and events are read', { timeout: 60_000 }, async (t) => {
  const { storage } = await open(t, hostileNames)
  const { pets, events, categories } = storage
  for (let id = 1n; id <= 200n; id++) await categories.put({ id, name: `${id} ${'\ufdfa'.repeat(990)}` })

  async function exportAll(): Promise<void> {
    for await (const _ of encodePets(pets, { format: csv, filter: {}, pageSize: 200, atOneState: storage.atOneState }));
  }
  const operations: Record<string, () => Promise<unknown>> = {
    'a list by id': () => pets.list({}, 300, 0n),
    'a list by name': () => pets.list({ sort: 'name' }, 1, 0n),
    'a list of events': () => events.list(300, 0n),
    'a search for categories': () => categories.list(1, undefined, 'rex'),
    'an export': exportAll,
  }
  for (const [name, run] of Object.entries(operations)) {
    const ticks = await ticksDuring(run)
    assert.ok(ticks >= 4, `${name} takes ${ticks} ticks of the event loop`)
  }
})
