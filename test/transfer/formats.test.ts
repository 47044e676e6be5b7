import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { NewPet, Pet } from '../../src/contract/pet.ts'
import { csv } from '../../src/transfer/formats/csv.ts'
import { InvalidFile, type Row } from '../../src/transfer/formats/format.ts'
import { ndjson } from '../../src/transfer/formats/ndjson.ts'
import { read, readBytes } from '../support/format-rows.ts'

// A failure prints the seed and the path to the smallest case that fails.
const runs = { seed: 20301205, numRuns: 300 }

const anyPet: fc.Arbitrary<Pet> = fc
  .record({
    id: fc.bigInt({ min: 1n, max: int64Max }),
    name: fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(',', '"', '\r', '\n', ' ', '=', '\ufeff'),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        ),
      })
      .filter((name) => /\S/.test(name) && !name.includes('\0')),
    categoryId: fc.bigInt({ min: int64Min, max: int64Max }),
    status: fc.constantFrom(undefined, 'available' as const, 'pending' as const, 'sold' as const),
  })
  .map(({ status, ...pet }) => (status === undefined ? pet : { ...pet, status }))

for (const format of [csv, ndjson]) {
  test(`${format.name}: every animal that is written is read again, in pieces of any size`, () => {
    fc.assert(
      fc.property(fc.array(anyPet), fc.integer({ min: 1, max: 50 }), (pets, pieceSize) => {
        const text = format.header + pets.map((pet) => format.encode(pet)).join('')

        const rows = read(format, text, pieceSize)

        assert.deepEqual(
          rows.map((row) => ('pet' in row ? row.pet : row.reason)),
          pets.map(withoutId),
        )
      }),
      runs,
    )
  })

  test(`${format.name}: a byte order mark at the start is ignored`, () => {
    const text = `\ufeff${format.header}${format.encode({ id: 1n, name: 'Rex', categoryId: 1n })}`

    assert.deepEqual(read(format, text, 1), [
      { line: linesOf(format.header) + 1, pet: { name: 'Rex', categoryId: 1n } },
    ])
  })

  for (const [encoding, encode] of Object.entries({
    'UTF-16 with little-endian bytes': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16 with big-endian bytes': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  })) {
    for (const pieceSize of [1, 3, 1_000]) {
      test(`${format.name}: a file in ${encoding} is read, in pieces of ${pieceSize}`, () => {
        const pets = ['Zoë', '🐇 犬', 'a\ufeff', 'x'].map((name) => ({ id: 1n, name, categoryId: 1n }))
        const bytes = encode(format.header + pets.map((pet) => format.encode(pet)).join('') + '{"x\n')

        const rows = readBytes(format, bytes, pieceSize)

        assert.deepEqual(
          rows.map((row) => ('pet' in row ? row.pet.name : Buffer.from(row.original, 'latin1').toString())),
          ['Zoë', '🐇 犬', 'a\ufeff', 'x', '{"x'],
        )
      })
    }

    for (const [what, end] of Object.entries({ 'half a character': '\ud83d', 'a lone surrogate': '\udc07\n' })) {
      test(`${format.name}: a file in ${encoding} with ${what} is refused`, () => {
        assert.throws(() => readBytes(format, encode(`${format.header}${end}`), 5), InvalidFile)
      })
    }

    test(`${format.name}: a file in ${encoding} whose last byte is missing is refused`, () => {
      const bytes = encode(`${format.header}x\n`)

      assert.throws(() => readBytes(format, bytes.subarray(0, -1)), InvalidFile)
    })
  }

  test(`${format.name}: the case of a status does not count`, () => {
    const statuses = ['SOLD', 'Available', 'pEnDiNg', 'Lost']
    const rows = statuses.map((status) =>
      format.encode({ id: 1n, name: 'Rex', categoryId: 1n, status } as unknown as Pet),
    )

    const found = read(format, format.header + rows.join(''))

    assert.deepEqual(
      found.map((row) => ('pet' in row ? row.pet.status : row.reason)),
      ['sold', 'available', 'pending', 'status must be one of available, pending, sold.'],
    )
  })

  test(`${format.name}: blank lines are skipped and counted`, () => {
    const row = format.encode({ id: 1n, name: 'Rex', categoryId: 1n })
    const text = `\n${format.header}\n\r\n${row}\n${row}`

    assert.deepEqual(
      read(format, text).map(({ line }) => line),
      [linesOf(format.header) + 4, linesOf(format.header) + 6],
    )
  })

  test(`${format.name}: line ends may be of Windows, and the last may be missing`, () => {
    const row = format.encode({ id: 1n, name: 'Rex', categoryId: 1n, status: 'sold' })
    const text = (format.header + row + row).replaceAll('\n', '\r\n').slice(0, -2)

    assert.deepEqual(
      read(format, text).map((row) => 'pet' in row && row.pet),
      Array.from({ length: 2 }, () => ({ name: 'Rex', categoryId: 1n, status: 'sold' })),
    )
  })

  test(`${format.name}: a row that is not valid UTF-8 is one bad row`, () => {
    const row = format.encode({ id: 1n, name: 'Zoé', categoryId: 1n })
    const bytes = Buffer.concat([Buffer.from(format.header + row), Buffer.from(row, 'latin1'), Buffer.from(row)])

    const rows = read(format, bytes)

    assert.deepEqual(
      rows.map((row) => ('pet' in row ? row.pet.name : row.reason.replace(/^(The row|name)/, 'It'))),
      ['Zoé', 'It is not valid UTF-8.', 'Zoé'],
    )
  })

  test(`${format.name}: a row of more than 64 KiB is rejected, and its neighbours are not`, () => {
    const rowOf = (name: string) => format.encode({ id: 1n, name, categoryId: 1n })
    const large = 'x'.repeat(66_000)

    const rows = read(format, `${format.header}${rowOf('Rex')}${rowOf(large)}${rowOf('Tom')}`, 1000)

    assert.deepEqual(
      rows.map((row) => ('pet' in row ? row.pet.name : [row.reason, row.original.length > 66_000])),
      ['Rex', ['The row is larger than 64 KiB.', true], 'Tom'],
    )
  })

  for (const [what, name] of Object.entries({
    letters: 'x'.repeat(64 * 1024 - 29),
    quotes: '"'.repeat(32 * 1024 - 15),
    'line ends': '\n'.repeat(32 * 1024 - 16).concat('x'),
    emoji: '🐕'.repeat(16 * 1024 - 8),
  })) {
    test(`${format.name}: what a body of 64 KiB may add can be imported after it was exported: ${what}`, () => {
      const body = `{"name":${JSON.stringify(name)},"categoryId":1e18}`
      const exported = format.encode({ id: 9223372036854775807n, name, categoryId: 10n ** 18n })

      const [row] = read(format, format.header + exported) as [Row]

      assert.ok(Buffer.byteLength(body) <= 64 * 1024)
      assert.ok('pet' in row, 'reason' in row ? row.reason : '')
      assert.ok(row.pet.name === name)
    })
  }

  test(`${format.name}: a line without end is refused before it fills the memory`, () => {
    const reader = format.reader()
    const piece = Buffer.alloc(64 * 1024, 'x')
    Array.from(reader.push(Buffer.from(format.header)))

    assert.throws(
      () => {
        for (let pieces = 0; pieces < 32; pieces++) Array.from(reader.push(piece))
      },
      (error) => error instanceof InvalidFile && /^Line \d is longer than 1 MiB: .*\.|\?$/.test(error.message),
    )
  })
}

for (const [what, row, reason] of [
  ['that is no JSON', '{"name":"Rex"', /^The row is not valid JSON\.$/],
  ['with two values', '{"name":"Rex","categoryId":1}{}', /^The row is not valid JSON\.$/],
  [
    'with half a surrogate pair',
    String.raw`{"name":"\ud800","categoryId":1}`,
    /^name must not contain a lone surrogate/,
  ],
  ['that is an array', '[{"name":"Rex","categoryId":1}]', /^The row must be a JSON object\.$/],
  ['that is null', 'null', /^The row must be a JSON object\.$/],
  ['without a categoryId', '{"name":"Rex"}', /^categoryId is missing: it must be an integer/],
  ['with a categoryId in quotes', '{"name":"Rex","categoryId":"1"}', /^categoryId must be an integer/],
  ['with a status of null', '{"name":"Rex","categoryId":1,"status":null}', /^status must be one of/],
] as const) {
  test(`ndjson: a row ${what} is rejected as it is, and spoils no other`, () => {
    const good = '{"name":"Tom","categoryId":2}'

    const rows = read(ndjson, `${good}\n${row}\n${good}`)

    assert.deepEqual(
      rows.map(({ line }) => line),
      [1, 2, 3],
    )
    assert.ok(rows[0] !== undefined && 'pet' in rows[0] && rows[2] !== undefined && 'pet' in rows[2])
    const rejected = rows[1]
    assert.ok(rejected !== undefined && 'reason' in rejected)
    assert.match(rejected.reason, reason)
    assert.equal(rejected.original, row)
  })
}

test('ndjson: members other than those of an animal to add are ignored', () => {
  const rows = read(ndjson, '{"id":77,"name":"Rex","categoryId":1e3,"price":9.99,"__proto__":{"status":"sold"}}\n')

  assert.deepEqual(rows, [{ line: 1, pet: { name: 'Rex', categoryId: 1000n } }])
})

test('ndjson: a file of rejects has the line, the reason and the row as it was', () => {
  const reader = ndjson.reader()
  const rows = [...reader.push(Buffer.from('\n{"name":"Zoë"}\n'))]

  const file = Buffer.concat([reader.rejectsHeader(), ...rows.map((row) => reader.encodeReject(row as never))])

  assert.deepEqual(JSON.parse(file.toString()), {
    line: 2,
    reason: 'categoryId is missing: it must be an integer from -9223372036854775808 to 9223372036854775807.',
    row: '{"name":"Zoë"}',
  })
})

function withoutId({ name, categoryId, status }: Pet): NewPet {
  return status === undefined ? { name, categoryId } : { name, categoryId, status }
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}
