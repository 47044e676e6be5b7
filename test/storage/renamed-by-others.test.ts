import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { NameCursor } from '../../src/inventory/pets.ts'
import { openStorage } from '../../src/storage/open.ts'
import { toPageInOrder } from '../../src/storage/shared/reads/sorted-search.ts'
import { engines, sqlite } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'

for (const engine of new Set([...engines.filter(({ name }) => name === 'postgres'), sqlite])) {
  for (const [sort, name] of [
    ['name', 'alfa rex'],
    ['-name', 'zorro rex'],
  ] as const) {
    for (const limit of [1, 2, 3]) {
      test(`${engine.name}: pages of ${limit} by ${sort} come to an end after another program renamed an animal`, async (t) => {
        const url = await engine.url(t)
        const { pets, ...storage } = await openStorage(url)
        t.after(() => storage.close())
        for (const one of ['alfa', 'rex', 'rex', 'rex', 'rex', 'zoe']) await pets.create({ name: one, categoryId: 1n })
        await renameOutside(url, `UPDATE pets SET name = '${name}' WHERE id = 4`)

        const seen: bigint[] = []
        let at: NameCursor | undefined
        for (let more = true, pages = 0; more; pages++) {
          assert.ok(pages < 20, `circles: ${seen.join()}`)
          const page = await pets.list({ name: 'rex', sort, ...(at && { afterKey: at.key }) }, limit, at?.id ?? 0n)
          seen.push(...page.items.map(({ id }) => id))
          at = page.nextByName
          more = page.more
        }

        // Whether the one with two names is found depends on the engine; nothing is found twice.
        const others = seen.filter((id) => id !== 4n)
        assert.deepEqual(others, sort === 'name' ? [2n, 3n, 5n] : [5n, 3n, 2n])
        assert.equal(new Set(seen).size, seen.length)
      })
    }
  }
}

test('a page whose next one would not be further on is refused', () => {
  const search = { words: ['rex'], filter: {}, limit: 2 }
  const after = { key: 'rex', id: 3n }
  const pageTo = (sort: 'name' | '-name', next: NameCursor) => () =>
    toPageInOrder({ rows: [], next }, { ...search, sort, after })

  for (const next of [after, { key: 'rex', id: 2n }, { key: 'alfa rex', id: 9n }]) {
    assert.throws(pageTo('name', next), /petstore check/)
  }
  for (const next of [after, { key: 'rex', id: 4n }, { key: 'zorro', id: 1n }]) {
    assert.throws(pageTo('-name', next), /petstore check/)
  }
  assert.deepEqual(pageTo('name', { key: 'rex', id: 4n })().nextByName, { key: 'rex', id: 4n })
  assert.deepEqual(pageTo('-name', { key: 'rex', id: 2n })().nextByName, { key: 'rex', id: 2n })
})

async function renameOutside(url: string, sql: string): Promise<void> {
  if (!url.startsWith('sqlite:')) return void (await runSql(url, sql))
  const db = new DatabaseSync(url.slice('sqlite:'.length))
  db.exec(sql)
  db.close()
}
