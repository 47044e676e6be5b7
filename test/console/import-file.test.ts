import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  columnsByName,
  type ImportRow,
  importRows,
  InvalidFile,
  previewRows,
  readImportFile,
} from '../../console/state/import-file.ts'

for (const [what, text, lines] of [
  ['commas', 'name,categoryId,status\nRex,1,sold\nTom,2,\n', [2, 3]],
  ['semicolons', 'name;categoryId;status\nRex;1;sold\nTom;2;\n', [2, 3]],
  ['a byte order mark', '\ufeffname,categoryId,status\nRex,1,sold\nTom,2,\n', [2, 3]],
  ['CR LF and no end of the last line', 'name,categoryId,status\r\nRex,1,sold\r\nTom,2,', [2, 3]],
  ['empty lines', '\nname,categoryId,status\n\nRex,1,sold\n,,\r\nTom,2,\n\n', [4, 6]],
  ['quotes', '"name";"categoryId";"status"\n"Rex";"1";"sold"\n"Tom";2;""\n', [2, 3]],
  ['names of columns in capitals and in another order', 'Status,NAME,id, categoryid\nsold,Rex,7,1\n,Tom,8,2\n', [2, 3]],
  ['no column for the status', 'name,categoryId\nRex,1\nTom,2\n', [2, 3]],
] as const) {
  test(`a CSV file with ${what} is read`, () => {
    const rows = rowsOf(text)

    const rex = what === 'no column for the status' ? 'Rex,1,\n' : 'Rex,1,sold\n'
    assert.deepEqual(rows, [
      { line: lines[0], text: rex },
      { line: lines[1], text: 'Tom,2,\n' },
    ])
  })
}

test('a quoted field may contain separators, quotes and line ends, and the lines after it are counted', () => {
  const rows = rowsOf('name;categoryId\r\n"Rex; ""the"", dog\r\nII";1\r\nTom;2\r\n')

  assert.deepEqual(rows, [
    { line: 2, text: '"Rex; ""the"", dog\r\nII",1,\n' },
    { line: 4, text: 'Tom,2,\n' },
  ])
})

test('an invalid row is rejected by itself', () => {
  const rows = rowsOf(`name,categoryId\nRex,1,2\nRex "the dog",1\n${'x'.repeat(65_536)},1\nTom,2\n"Kim,3\n`)

  assert.deepEqual(rows, [
    { line: 2, message: 'The header has 2 columns, the row has 3.' },
    { line: 3, message: 'A field that contains a quote must be quoted, and the quote doubled.' },
    { line: 4, message: 'The row is larger than 64 KiB.' },
    { line: 5, text: 'Tom,2,\n' },
    { line: 6, message: 'A quoted field is not closed.' },
  ])
})

test('columns with other names are left to the user', () => {
  const file = read('Tier;Art;Zustand\nRex;1;sold\n')

  assert.deepEqual(columnsByName(file), {})
  assert.deepEqual([...importRows(file, { name: 0, categoryId: 1 })], [{ line: 2, text: 'Rex,1,\n' }])
  assert.deepEqual(previewRows(file, { name: 0, status: 2 }, 5), [{ line: 2, values: ['Rex', '', 'sold'] }])
})

test('the rows of an NDJSON file are sent as they are, without blank lines', () => {
  const text = '{"name":"Rex","categoryId":9007199254740993}\r\n\n{"name":'
  const file = read(text, 'animals.txt')

  assert.equal(file.format, 'ndjson')
  assert.equal(file.count, 2)
  assert.deepEqual(
    [...importRows(file, {})],
    [
      { line: 1, text: '{"name":"Rex","categoryId":9007199254740993}\r\n' },
      { line: 3, text: '{"name":\n' },
    ],
  )
  assert.deepEqual(previewRows(file, {}, 5), [
    { line: 1, values: ['Rex', '9007199254740993', ''] },
    { line: 3, message: 'The row is not valid JSON.' },
  ])
})

for (const [what, bytes, reason] of [
  ['an empty file', Buffer.from('\ufeff \r\n'), /is empty/],
  ['a file with a header only', Buffer.from('name,categoryId\n'), /no animals/],
  ['a file that is not UTF-8', Buffer.from('name\nB\xe9b\xe9\n', 'latin1'), /save it as “CSV UTF-8”/],
  ['a header that cannot be read', Buffer.from('"name,categoryId\n'), /names of the columns.*not closed/],
] as const) {
  test(`${what} is refused in a sentence`, () => {
    assert.throws(
      () => readImportFile('animals.csv', bytes),
      (error) => error instanceof InvalidFile && reason.test(error.message) && error.message.endsWith('.'),
    )
  })
}

function read(text: string, name = 'animals.csv') {
  return readImportFile(name, Buffer.from(text))
}

function rowsOf(text: string): ImportRow[] {
  const file = read(text)
  return [...importRows(file, columnsByName(file))]
}
