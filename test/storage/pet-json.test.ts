import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePets, type Pet } from '../../src/contract/pet.ts'
import { int64Max } from '../../src/contract/int64.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { configureForWriting, connect } from '../../src/storage/sqlite/connection/database.ts'
import { prepareJsonPages } from '../../src/storage/sqlite/reads/pet-json.ts'

function shopOf(pets: readonly Pet[]) {
  const db = connect(':memory:', { timeout: 0 })
  configureForWriting(db, ':memory:')
  migrate(db, ':memory:')
  const insert = db.prepare('INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)')
  for (const { id, name, categoryId, status } of pets) insert.run(id, name, categoryId, status ?? null)
  return { db, read: prepareJsonPages(db) }
}

/** Every character, some in each name, and what has a meaning in JSON or in the search for the end of a page. */
function* hostileNames(): Generator<string> {
  for (let point = 1; point <= 0x10_ffff; point += 16) {
    // Each sixteenth of those that need four bytes: they are all alike.
    if (point > 0xffff && (point - 1) % 0x100 !== 0) continue
    const points = Array.from({ length: 16 }, (_, index) => point + index)
    const name = String.fromCodePoint(...points.filter((each) => each <= 0x10_ffff && !isSurrogate(each)))
    if (name !== '') yield name
  }
  yield* ['},{"id":1', '},{\\"id\\":', '[{"id":2},{"id":3}]', '\\', '"', 'null', ']', 'a'.repeat(1_024)]
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff
}

test('a page that SQLite encodes has the bytes of encodePet, whatever the names', () => {
  const statuses = [undefined, 'available', 'pending', 'sold'] as const
  const pets = [...hostileNames()].map((name, index): Pet => {
    const status = statuses[index % 4]
    return { id: BigInt(index) + 1n, name, categoryId: BigInt(index), ...(status && { status }) }
  })
  const { read } = shopOf(pets)

  const limit = 100
  let after = 0n
  for (let start = 0; start < pets.length; start += limit) {
    const page = read({}, 'id', after, limit)
    assert.equal(page?.json.toString(), encodePets(pets.slice(start, start + limit)))
    assert.equal(page?.next, pets[start + limit] && pets[start + limit - 1]?.id)
    after = page?.next ?? 0n
  }
})

test('a page that SQLite encodes has all digits of an int64, in both directions, with any filter', () => {
  const highest = int64Max - 1n
  const pets = [1n, 2n ** 53n + 1n, highest - 1n, highest].map(
    (id): Pet => ({ id, name: 'Rex', categoryId: id, status: 'sold' }),
  )
  const { read } = shopOf(pets)
  const pageOf = (...[filter, sort, after, limit]: Parameters<typeof read>) => {
    const page = read(filter, sort, after, limit)
    return [page?.json.toString(), page?.next]
  }

  assert.deepEqual(pageOf({}, 'id', 0n, 2), [encodePets(pets.slice(0, 2)), 2n ** 53n + 1n])
  assert.deepEqual(pageOf({}, '-id', 0n, 1), [encodePets(pets.slice(3)), highest])
  assert.deepEqual(pageOf({}, '-id', highest, 3), [encodePets(pets.slice(0, 3).toReversed()), undefined])
  assert.deepEqual(pageOf({ status: 'sold' }, 'id', 1n, 1), [encodePets(pets.slice(1, 2)), 2n ** 53n + 1n])
  assert.deepEqual(pageOf({ categoryId: highest }, 'id', 0n, 9), [encodePets(pets.slice(3)), undefined])
  assert.deepEqual(pageOf({ status: 'none' }, 'id', 0n, 9), ['[]', undefined])
})

test('a page with a large name, or with a row that cannot be read, is not encoded by SQLite', () => {
  const rex: Pet = { id: 1n, name: 'Rex', categoryId: 1n }
  const { read: readLarge } = shopOf([rex, { ...rex, id: 2n, name: 'a'.repeat(1_025) }])
  assert.equal(readLarge({}, 'id', 0n, 1), undefined)

  for (const damage of ["name = ''", "status = 'lost'", "name = CAST(x'41ff' AS TEXT)"]) {
    const { db, read } = shopOf([rex, { ...rex, id: 2n }])
    db.exec(`PRAGMA ignore_check_constraints = ON; UPDATE pets SET ${damage} WHERE id = 2`)
    assert.equal(read({}, 'id', 0n, 9), undefined)
  }
})
