import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddedKind, columnsOf } from '../../src/inventory/snapshot.ts'
import { seedImage } from '../../src/sandbox/images.ts'
import { linesOf } from '../../src/sandbox/lines.ts'
import { seedReader, sizeOfRow } from '../../src/sandbox/seed.ts'
import { snapshotReader } from '../../src/sandbox/snapshot-reader.ts'
import { openInMemory } from '../../src/storage/sqlite/open-in-memory.ts'

const seed = (...lines: string[]) => seedImage([Buffer.from(lines.join('\n'))])
const pet = (id: number | bigint, more = '') => `{"id":${id},"name":"Rex","categoryId":1${more}}`
const order = (id: number, petId: number, status = 'placed') =>
  `{"type":"order","id":${id},"petId":${petId},"status":"${status}","placedAt":"2026-01-05T09:00:00Z"}`

test('a seed chooses ids, also above 2^53, and the next ones follow', async () => {
  const image = await seed(
    pet(9007199254740993n),
    pet(7, ',"status":"pending"'),
    '{"type":"category","id":-3,"name":"Dogs"}',
    order(5, 7),
    '',
  )
  const storage = openInMemory({ clock: () => 0, image })
  const { pets, orders, categories } = storage

  const { items } = await pets.list({}, 10, 0n)
  const created = await pets.create({ name: 'Tom', categoryId: 1n }, undefined, '{}')
  assert.deepEqual(
    items.map(({ id }) => id),
    [7n, 9007199254740993n],
  )
  assert.ok('pet' in created && created.pet.id === 9007199254740994n)
  assert.equal((await orders.find(5n))?.updatedAt, '2026-01-05T09:00:00.000Z')
  assert.equal((await categories.find(-3n))?.name, 'Dogs')
  await storage.close()
})

test('a row of a seed has a value for every column', () => {
  const { read, end } = seedReader()
  const lines = [pet(7, ',"status":"pending"'), order(5, 7), '{"type":"category","id":1,"name":"Dogs"}']
  for (const [index, line] of lines.entries()) {
    read({ number: index + 1, value: JSON.parse(line) as Record<string, unknown> })
  }

  for (const [kind, rows] of Object.entries(end())) {
    assert.deepEqual(
      rows.map((row) => row.length),
      [columnsOf[kind as AddedKind].length],
      kind,
    )
  }
})

for (const [what, line, lines] of [
  ['text that is not JSON', 'Line 2: It is not valid JSON.', [pet(1), '{"id":']],
  ['a line that is no object', 'Line 1: It must be a JSON object.', ['[1]']],
  ['an animal without an id', 'Line 1: id is missing: it must be an integer from 1', ['{"name":"Rex","categoryId":1}']],
  ['an animal with the id 0', 'Line 1: id must be an integer from 1', [pet(0)]],
  ['an id that leaves none', 'Line 1: id must be at most 9000000000000000000.', [pet(9223372036854775807n)]],
  ['an id given twice', 'Line 4: Another animal of this seed has the id 1.', [pet(1), '', pet(2), pet(1)]],
  ['an unknown type', 'Line 1: type must be category or order', ['{"type":"dog"}']],
  [
    'a name of white space',
    'Line 1: name must be a string that is not only white space',
    [`{"id":1,"name":" ","categoryId":1}`],
  ],
  ['a time that is none', 'Line 1: placedAt must be a time', [order(1, 1).replace('T09', ' 09')]],
  ['an open order without its animal', 'Line 1: An open order needs its animal, 4,', [order(1, 4)]],
  [
    'an open order of an available animal',
    'Line 2: An open order needs',
    [pet(1, ',"status":"available"'), order(1, 1)],
  ],
  [
    'two open orders of an animal',
    'Line 3: The animal 1 has another open order.',
    [pet(1, ',"status":"pending"'), order(1, 1), order(2, 1)],
  ],
] as const) {
  test(`a seed with ${what} is refused, and the line is named`, async () => {
    await assert.rejects(seed(...lines), ({ code, message }: { code: string; message: string }) => {
      assert.equal(code, 'invalid_body')
      assert.equal(message.slice(0, line.length), line)
      return true
    })
  })
}

test('a seed that is not UTF-8, or has a line above 1 MiB, is refused', async () => {
  await assert.rejects(seedImage([Buffer.from([0x7b, 0xff, 0x7d])]), /Line 1: It is not valid UTF-8/)
  await assert.rejects(seedImage([Buffer.alloc(1_100_000, 'x')]), /Line 1: It is longer than 1 MiB/)
})

test('a seed with more than 10,000 animals is a conflict', async () => {
  const lines = Array.from({ length: 10_001 }, (_, index) => pet(index + 1))

  await assert.rejects(seed(...lines), { code: 'conflict', message: /at most 10,000 animals/ })
})

test('a line that comes byte by byte is read whole', async () => {
  const pieces = Array.from(Buffer.from(`${pet(1)}\n{"name":"${'x'.repeat(1_000)}"}`), (byte) => Buffer.from([byte]))

  const lines = await Array.fromAsync(linesOf(pieces))

  assert.deepEqual(
    lines.map(({ number, value }) => [number, (value['name'] as string).length]),
    [
      [1, 3],
      [2, 1_000],
    ],
  )
})

test('a file of many small lines is refused before it fills the memory', () => {
  const name = 'a'.repeat(1_000)
  const key = (id: number) => {
    const hash = `${id}`.padEnd(43, 'x')
    return { type: 'key', id: `key_${id}`, name, permission: 'read', hash, createdAt: '2026-01-01T00:00:00Z' }
  }
  const snapshot = snapshotReader()
  snapshot.read({ number: 1, value: { type: 'shop', version: 1, counters: { pets: 0n, orders: 0n, events: 0n } } })

  assert.throws(() => {
    for (let number = 2; number < 20_000; number++) snapshot.read({ number, value: key(number) })
  }, /at most 16 MiB/)
  assert.equal(sizeOfRow([1n, 'a']), 65)
})
