import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import type { NameRange } from '../../src/storage/shared/reads/find-by-name.ts'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/sqlite/connection/database.ts'
import { prepareProposals, proposalSql } from '../../src/storage/sqlite/reads/pet-proposals.ts'
import { sqlite } from '../support/engines.ts'

const names = ['Rex', 'anna', '  rEx of Oak', 'Zoë', 'Zora Rex', '7 rex', 'Tom', 'Max Rexi', 'ポチ']

test('sqlite: a search reads only the names in ASCII that contain its longest word, and all others', async (t) => {
  const propose = prepareProposals(await openShop(t), 'id, name')
  const idsOf = (words: string[], range?: NameRange, count = 100) =>
    propose({ words, filter: {}, sort: 'id', after: 0n, limit: 20 }, count, range).rows.map(([id]) => Number(id))

  assert.deepEqual(idsOf(['rex']), [1, 3, 4, 5, 6, 8, 9])
  assert.deepEqual(idsOf(['a', 'rexi']), [4, 8, 9])
  assert.deepEqual(idsOf(['zoë']), [4, 9])
  assert.deepEqual(idsOf(['rex'], undefined, 5), [1, 3, 4, 5])
})

test('sqlite: a search in the order of names reads only names that may be among the first', async (t) => {
  const propose = prepareProposals(await openShop(t), 'id, name')
  const idsOf = (range: NameRange) =>
    propose({ words: ['rex'], filter: {}, sort: 'id', after: 0n, limit: 20 }, 100, range).rows.map(([id]) => Number(id))
  const at = (key: string) => ({ key, id: 1n })

  // Those that begin with neither a letter nor a digit, or are not in ASCII, are always among them.
  assert.deepEqual(idsOf({ sort: 'name', upTo: at('max rexi') }), [3, 4, 6, 8, 9])
  assert.deepEqual(idsOf({ sort: 'name', after: at('max') }), [1, 3, 4, 5, 8, 9])
  assert.deepEqual(idsOf({ sort: 'name', after: at('n'), upTo: at('s') }), [1, 3, 4, 9])
  assert.deepEqual(idsOf({ sort: '-name', upTo: at('rex') }), [1, 3, 4, 5, 9])
  assert.deepEqual(idsOf({ sort: '-name', after: at('rex') }), [1, 3, 4, 6, 8, 9])
  assert.deepEqual(idsOf({ sort: 'name', upTo: at('') }), [3, 4, 9])
  assert.deepEqual(idsOf({ sort: 'name', upTo: at('ポチ') }), [1, 3, 4, 5, 6, 8, 9])
  assert.deepEqual(idsOf({ sort: '-name', upTo: at('ポチ') }), [3, 4, 9])
})

test('sqlite: a search says where it ended, also if it proposes nothing', async (t) => {
  const propose = prepareProposals(await openShop(t), 'id, name')
  const lastOf = (sort: 'id' | '-id', after: bigint, count: number) =>
    propose({ words: ['nobody'], filter: { categoryId: 1n }, sort, after, limit: 20 }, count, undefined).last

  assert.equal(lastOf('id', 0n, 4), 4n)
  assert.equal(lastOf('id', 4n, 5), 9n)
  assert.equal(lastOf('id', 4n, 6), undefined)
  assert.equal(lastOf('-id', 0n, 2), 8n)
})

test('sqlite: the list that a search looks through is read once, by its index', async (t) => {
  const db = await openShop(t)
  const list = 'SELECT id, name FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT (? + 0)'

  const steps = db.prepare(`EXPLAIN QUERY PLAN ${proposalSql(list)}`).all() as { detail: string }[]

  const plan = steps.map(({ detail }) => detail).join(', ')
  assert.match(plan, /SEARCH pets USING INDEX pets_by_status \(status=\? AND rowid>\?\)/)
  assert.doesNotMatch(plan, /TEMP B-TREE|SCAN pets/)
})

async function openShop(t: TestContext): Promise<DatabaseSync> {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  for (const name of names) await storage.pets.create({ name, categoryId: 1n })
  await storage.close()
  const db = connect(url.replace('sqlite:', ''), { readOnly: true, timeout: 0 })
  t.after(() => db.close())
  return db
}
