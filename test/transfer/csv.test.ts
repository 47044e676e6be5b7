import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csv } from '../../src/transfer/formats/csv.ts'
import { InvalidFile, type Reject } from '../../src/transfer/formats/format.ts'
import { read } from '../support/format-rows.ts'

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
