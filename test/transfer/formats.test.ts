import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { NewPet, Pet } from '../../src/contract/pet.ts'
import { csv } from '../../src/transfer/formats/csv.ts'
import { type Format, InvalidFile, type Reject, type Row } from '../../src/transfer/formats/format.ts'
import type { RowPet } from '../../src/transfer/formats/row-pet.ts'
import { ndjson } from '../../src/transfer/formats/ndjson.ts'

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

const header = 'name,categoryId,status\n'

for (const [what, row, pet] of [
  ['with a quoted name', '"Rex, ""the dog""",1,sold', { name: 'Rex, "the dog"', categoryId: 1n, status: 'sold' }],
  ['that spans lines', '"Rex\r\n\nthe dog",1,sold', { name: 'Rex\r\n\nthe dog', categoryId: 1n, status: 'sold' }],
  ['with all fields quoted', '"Rex","-1","sold"', { name: 'Rex', categoryId: -1n, status: 'sold' }],
  ['with an empty status', 'Rex,1,', { name: 'Rex', categoryId: 1n }],
  ['with an empty quoted status', 'Rex,1,""', { name: 'Rex', categoryId: 1n }],
  ['with white space around the name', ' Rex ,1,', { name: ' Rex ', categoryId: 1n }],
  ['whose name looks like a formula', '=1+1,1,', { name: '=1+1', categoryId: 1n }],
] as const) {
  test(`csv: a row ${what} is an animal`, () => {
    assert.deepEqual(read(csv, `${header}${row}\n`, 1), [{ line: 2, pet }])
    assert.deepEqual(read(csv, `${header}${row}`), [{ line: 2, pet }], 'without a line end')
  })
}

for (const [what, row, reason] of [
  ['without a name', ',1,sold', /^name must be a string of at least 1 character\.$/],
  ['with a fraction as categoryId', 'Rex,1.5,sold', /^categoryId must be an integer from -9223372036854775808 to/],
  ['with an empty categoryId', 'Rex,,sold', /^categoryId must be an integer/],
  ['with a categoryId beyond 64 bits', 'Rex,9223372036854775808,', /^categoryId must be an integer/],
  ['with an unknown status', 'Rex,1,lost', /^status must be one of available, pending, sold\.$/],
  ['with two faults', ',x,', /^name must be .* categoryId must be /],
  ['with a field too few', 'Rex,1', /^The header has 3 columns, the row has 2\.$/],
  ['with a field too many', 'Rex,1,sold,', /^The header has 3 columns, the row has 4\.$/],
  ['with a quote inside a plain field', 'the "Rex",1,', /^A field that contains a quote must be quoted/],
  ['with text after a closing quote', '"Rex"x,1,', /^A field that contains a quote must be quoted/],
  ['with a quote that is not closed', '"Rex,1,', /^A quoted field is not closed\.$/],
] as const) {
  test(`csv: a row ${what} is rejected as it is, and spoils no other`, () => {
    const rows = read(csv, `${header}"a\nb",1,\n${row}\nTom,2,sold\n"Mia",3,\n`, 3)

    assert.deepEqual(rows[0], { line: 2, pet: { name: 'a\nb', categoryId: 1n } })
    assert.deepEqual(rows.slice(2), [
      { line: 5, pet: { name: 'Tom', categoryId: 2n, status: 'sold' } },
      { line: 6, pet: { name: 'Mia', categoryId: 3n } },
    ])
    const rejected = rows[1]
    assert.ok(rejected !== undefined && 'reason' in rejected)
    assert.match(rejected.reason, reason)
    assert.deepEqual([rejected.line, rejected.original], [4, row])
  })
}

test('csv: records are the same, wherever the pieces of a file end', () => {
  const rows = [
    '"R""ex",1,',
    '"a\r\nb","2",sold',
    '"""",3,""',
    'Tom,"4",\r',
    '"x" y,5,',
    '"a"",6,',
    'z,"7",pending"',
    '""',
  ]
  const text = `${header}${rows.join('\n')}\n"never`
  const whole = read(csv, text)

  for (let size = 1; size < 40; size++) assert.deepEqual(read(csv, text, size), whole, `${size} bytes`)
})

test('csv: columns are known by name, in any order, and others are ignored', () => {
  const text = 'price,"categoryId",id,status,name\n9.99,1,77,sold,Rex\n'

  assert.deepEqual(read(csv, text), [{ line: 2, pet: { name: 'Rex', categoryId: 1n, status: 'sold' } }])
})

for (const [what, separator] of [
  ['commas', ','],
  ['semicolons', ';'],
  ['tabs', '\t'],
] as const) {
  test(`csv: columns may be separated by ${what}, and so are those of rejected rows`, () => {
    const lines = [
      ['id', 'name', 'categoryId', 'status'],
      ['1', '"a,b;c\td"', '1', 'sold'],
      ['2', 'Tom', 'x', ''],
      ['3', 'Mia', '3', ''],
    ].map((fields) => fields.join(separator))
    const reader = csv.reader()
    const rows = [...reader.push(Buffer.from(`\n${lines.join('\n')}\n`))]
    const rejected = rows[1] as Reject

    assert.deepEqual(
      rows.map((row) => ('pet' in row ? row.pet.name : row.line)),
      ['a,b;c\td', 4, 'Mia'],
    )
    assert.equal(reader.rejectsHeader().toString(), `${['line', 'reason', lines[0]].join(separator)}\n`)
    const fields = reader.encodeReject(rejected).toString().split(separator)
    assert.deepEqual([fields[0], fields.slice(2).join(separator)], ['4', `${lines[2]}\n`])
    assert.deepEqual(
      read(
        csv,
        Buffer.concat([reader.rejectsHeader(), reader.encodeReject(rejected)])
          .toString()
          .replace(`Tom${separator}x`, `Tom${separator}2`),
      ),
      [{ line: 2, pet: { name: 'Tom', categoryId: 2n } }],
    )
  })
}

test('csv: a separator inside the name of another column does not count', () => {
  const text = 'name,categoryId,a;b;c;d\nRex,1,\n'

  assert.deepEqual(read(csv, text, 1), [{ line: 2, pet: { name: 'Rex', categoryId: 1n } }])
  assert.deepEqual(read(csv, '"name";"categoryId";"a,b,c"\nRex;1;\n', 1), [
    { line: 2, pet: { name: 'Rex', categoryId: 1n } },
  ])
})

for (const [line, separator] of [
  ['sep=;', ';'],
  ['SEP=\t', '\t'],
  ['"sep=,"\r', ','],
] as const) {
  test(`csv: a first line ${JSON.stringify(line)}, as Excel has it, names the separator`, () => {
    const lines = [
      ['name', 'categoryId', '"a,b;c\td"'],
      ['Rex', '1', ''],
    ].map((fields) => fields.join(separator))
    const text = `\ufeff${line}\n${lines.join('\n')}\n`

    assert.deepEqual(read(csv, text, 1), [{ line: 3, pet: { name: 'Rex', categoryId: 1n } }])
    assert.throws(() => read(csv, `${line}\n${line}\nname,categoryId\n`), InvalidFile)
  })
}

test('csv: the status column may be missing', () => {
  assert.deepEqual(read(csv, 'name,categoryId\nRex,1\n'), [{ line: 2, pet: { name: 'Rex', categoryId: 1n } }])
})

for (const [text, message] of [
  ['', /^The file is empty/],
  ['\n\n', /^The file is empty/],
  ['name|categoryId\nRex|1\n', /^The header has no column "name"/],
  ['name,category\nRex,1\n', /^The header has no column "categoryId"/],
  ['Name,categoryId\nRex,1\n', /^The header has no column "name"/],
  ['name,categoryId,name\nRex,1,Tom\n', /^The header has the column "name" twice/],
  ['"name,categoryId\nRex,1\n', /^The header cannot be read/],
] as const) {
  test(`csv: a file that is ${JSON.stringify(text)} is refused`, () => {
    assert.throws(
      () => read(csv, text),
      (error) => error instanceof InvalidFile && message.test(error.message),
    )
  })
}

test('csv: a file of rejects has the line, the reason and the row as it was', () => {
  const reader = csv.reader()
  const rows = [...reader.push(Buffer.from('id,name,categoryId\n1,"a\nb",x\n2,\xff,1\n', 'latin1'))]

  const file = Buffer.concat([reader.rejectsHeader(), ...rows.map((row) => reader.encodeReject(row as never))])

  assert.equal(
    file.toString('latin1'),
    'line,reason,id,name,categoryId\n' +
      '2,categoryId must be an integer from -9223372036854775808 to 9223372036854775807.,1,"a\nb",x\n' +
      '4,name is not valid UTF-8.,2,\xff,1\n',
  )
})

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

function readBytes(format: Format, bytes: Buffer, pieceSize = Number.POSITIVE_INFINITY): Row[] {
  const reader = format.reader()
  const rows: Row[] = []
  for (let at = 0; at < bytes.length; at += pieceSize) rows.push(...reader.push(bytes.subarray(at, at + pieceSize)))
  return [...rows, ...reader.end()]
}

type Read = { line: number; pet: RowPet } | Reject

/** Pets without their original text, which must be in the content. */
function read(format: Format, content: string | Buffer, pieceSize = Number.POSITIVE_INFINITY): Read[] {
  const bytes = Buffer.from(content as string)
  return readBytes(format, bytes, pieceSize).map((row) => {
    assert.ok(bytes.includes(Buffer.from(row.original, 'latin1')), row.original)
    return 'pet' in row ? { line: row.line, pet: row.pet } : row
  })
}

function withoutId({ name, categoryId, status }: Pet): NewPet {
  return status === undefined ? { name, categoryId } : { name, categoryId, status }
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}
