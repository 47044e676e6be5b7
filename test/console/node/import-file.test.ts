import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openImportFile, rowsOf } from '../../../console/state/import/file.ts'
import { InvalidFile } from '../../../console/state/import/decode.ts'
import { guessMapping, type Mapping, previewRows, rowEncoder, statusWords } from '../../../console/state/import/rows.ts'

for (const [what, text, lines] of [
  ['commas', 'name,categoryId,status\nRex,1,sold\nTom,2,\n', [2, 3]],
  ['semicolons', 'name;categoryId;status\nRex;1;sold\nTom;2;\n', [2, 3]],
  ['tabs', 'name\tcategoryId\tstatus\nRex\t1\tsold\nTom\t2\t\n', [2, 3]],
  ['a byte order mark', '\ufeffname,categoryId,status\nRex,1,sold\nTom,2,\n', [2, 3]],
  ['CR LF and no end of the last line', 'name,categoryId,status\r\nRex,1,sold\r\nTom,2,', [2, 3]],
  ['CR alone, as Excel for the Mac saves it', 'name,categoryId,status\rRex,1,sold\rTom,2,\r', [2, 3]],
  ['empty lines', '\nname,categoryId,status\n\nRex,1,sold\n,,\r\nTom,2,\n\n', [4, 6]],
  ['the line that Excel writes first', '\ufeffsep=;\r\nname;categoryId;status\r\nRex;1;sold\r\nTom;2;\r\n', [3, 4]],
  [
    'a named separator that is rarer than another',
    'sep=,\nname,categoryId,status,a;b;c;d;e\nRex,1,sold,\nTom,2,,\n',
    [3, 4],
  ],
  ['quotes', '"name";"categoryId";"status"\n"Rex";"1";"sold"\n"Tom";2;""\n', [2, 3]],
  ['names of columns in capitals and in another order', 'Status,NAME,id, categoryid\nsold,Rex,7,1\n,Tom,8,2\n', [2, 3]],
  ['spaces around numbers and statuses', 'name,categoryId,status\nRex, 1 , sold\nTom,2 , \n', [2, 3]],
] as const) {
  test(`a CSV file with ${what} is read`, async () => {
    const { rows, header } = await sentRows(text)

    assert.equal(header, 'name,categoryId,status\n')
    assert.deepEqual(rows, [
      { line: lines[0], text: 'Rex,1,sold\n' },
      { line: lines[1], text: 'Tom,2,\n' },
    ])
  })
}

for (const [what, text, lines] of [
  ['a title', 'Our animals\nname,categoryId,status\nRex,1,sold\nTom,2,\n', [3, 4]],
  [
    'titles as wide as the rows',
    'Stock;;;\n3 November;;;\n\nName;Art;Kategorie Nr;Zustand\nRex;;1;sold\nTom;;2;\n',
    [5, 6],
  ],
  [
    'a line that names the separator, and a title',
    'sep=;\nOur animals\nname;categoryId;status\nRex;1;sold\nTom;2;\n',
    [4, 5],
  ],
] as const) {
  test(`the line with the names of the columns is found below ${what}`, async () => {
    const { rows } = await sentRows(text)

    assert.deepEqual(
      rows.map(({ line }) => line),
      lines,
    )
    assert.match(rows[0]?.text ?? '', /^Rex,.*sold\n$/)
  })
}

test('a line with the names of the columns is chosen by hand, with the encoding that was found', async () => {
  const bytes = Buffer.from('Nos animaux\nX;Y\nZo\xe9;7\n', 'latin1')
  const found = await openImportFile(new Blob([bytes]), 'animals.csv')
  const { encoding, isEncodingGuessed: isGuessed } = found

  const file = await openImportFile(new Blob([bytes]), 'animals.csv', { above: 1, encoding, isGuessed })

  assert.deepEqual([found.above, found.count], [0, 2])
  assert.deepEqual([file.above, file.count, file.isEncodingGuessed], [1, 1, true])
  assert.deepEqual(file.header, ['X', 'Y'])
  assert.deepEqual(await rowsAsSent(file, { columns: { name: 0, categoryId: 1 }, statuses: new Map() }), [
    { line: 3, text: 'Zoé,7\n' },
  ])
})

test('one category is that of all animals, unless a column has it', async () => {
  const file = await read('name,kind\nRex,Dogs\n')
  const category = { text: 'Fish', id: '-7' }
  const sent = (columns: Mapping['columns']) => rowsAsSent(file, { columns, category, statuses: new Map() })

  assert.deepEqual(await sent({ name: 0 }), [{ line: 2, text: 'Rex,-7\n' }])
  assert.deepEqual(await sent({ name: 0, categoryName: 1 }), [{ line: 2, text: 'Rex,Dogs\n' }])
})

test('only the columns that were matched are sent', async () => {
  const { rows, header } = await sentRows('name,color,categoryId\nRex,brown,1\n')

  assert.equal(header, 'name,categoryId\n')
  assert.deepEqual(rows, [{ line: 2, text: 'Rex,1\n' }])
})

test('a quoted field may contain separators, quotes and line ends, and the lines after it are counted', async () => {
  const { rows } = await sentRows('name;categoryId\r\n"Rex; ""the"", dog\r\nII";1\r\nTom;2\r\n')

  assert.deepEqual(rows, [
    { line: 2, text: '"Rex; ""the"", dog\r\nII",1\n' },
    { line: 4, text: 'Tom,2\n' },
  ])
})

test('what is missing in a row, and a status that is not known, are said in plain words', async () => {
  const { rows } = await sentRows(
    'name,categoryId,categoryName,status\n,,, \n,7,,SOLD\nRex,,Dogs,\nTom,,,lost\nMo,1.5,,\n',
  )

  assert.deepEqual(rows, [
    { line: 2, fault: 'The name is missing. The category is missing.' },
    { line: 3, fault: 'The name is missing.' },
    { line: 4, text: 'Rex,Dogs,,\n' },
    { line: 5, fault: 'The category is missing. The status “lost” is not known.' },
    { line: 6, fault: 'No category can have the number “1.5”.' },
  ])
})

test('an invalid row is rejected by itself', async () => {
  const { rows } = await sentRows(`name,categoryId\nRex,1,2\nRex "the dog",1\n${'x'.repeat(65_536)},1\nTom,2\n"Kim,3\n`)

  assert.deepEqual(rows, [
    { line: 2, fault: 'The header has 2 columns, the row has 3.' },
    { line: 3, fault: 'A field that contains a quote must be quoted, and the quote doubled.' },
    { line: 4, fault: 'The row is larger than 64 KiB.' },
    { line: 5, text: 'Tom,2\n' },
    { line: 6, fault: 'A quoted field is not closed.' },
  ])
})

for (const [language, header, columns] of [
  ['German', 'Nr;Tiername;Kategorie;Verfügbarkeit', { name: 1, categoryName: 2, status: 3 }],
  ['French', 'Nom;Catégorie;État', { name: 0, categoryName: 1, status: 2 }],
  ['Spanish', 'Nombre;Categoría;Estado', { name: 0, categoryName: 1, status: 2 }],
  ['Italian', 'Nome;Specie;Stato', { name: 0, categoryName: 1, status: 2 }],
  ['Dutch', 'Naam;Soort;Status', { name: 0, categoryName: 1, status: 2 }],
  ['nobody', 'A;B;C', {}],
] as const) {
  test(`the columns of a file are guessed from names in the language of ${language}`, async () => {
    const file = await read(`${header}\n${header}\n`)

    assert.deepEqual(guessMapping(file).columns, columns)
  })
}

test('a column for categories with nothing but numbers has their numbers', async () => {
  const file = await read('Name;Kategorie\nRex;7\nTom;-3\n')

  assert.deepEqual(guessMapping(file).columns, { name: 0, categoryId: 1 })
})

test('statuses in other words are guessed, and can be matched by hand', async () => {
  const file = await read('Name;Art;Zustand\nRex;Hund;verkauft\nTom;Katze;Réservée\nKim;Katze;SOLD\nLea;Maus;weg\n')
  const guessed = guessMapping(file)
  const byHand: Mapping = { ...guessed, statuses: new Map([['weg', 'none' as const]]) }

  assert.deepEqual(statusWords(file, guessed), [
    { word: 'verkauft', count: 1, status: 'sold' },
    { word: 'Réservée', count: 1, status: 'pending' },
    { word: 'weg', count: 1, status: undefined },
  ])
  assert.deepEqual(
    previewRows(file, byHand).map((row) => 'values' in row && row.values.status),
    ['sold', 'pending', 'SOLD', ''],
  )
  const { rows } = await sentRows('Name;Art;Zustand\nRex;Hund;verkauft\n', guessed)
  assert.deepEqual(rows, [{ line: 2, text: 'Rex,Hund,sold\n' }])
})

test('words that deny a status are not taken for it, and a column of many words is no status', async () => {
  const names = Array.from({ length: 40 }, (_none, at) => `n${at}`)
  const denied = await read('name,categoryId,status\nRex,1,unavailable\nTom,1,nicht verfügbar\nKim,1,unverkauft\n')
  const many = await read(`name,categoryId,status\n${names.map((name) => `Rex,1,${name}\n`).join('')}`)

  assert.deepEqual(
    statusWords(denied, guessMapping(denied))?.map(({ status }) => status),
    [undefined, undefined, undefined],
  )
  assert.equal(statusWords(many, guessMapping(many)), undefined)
})

for (const [encoding, bytes] of [
  ['utf-16le', utf16('name\tcategoryName\nZoë\tVögel\n')],
  ['utf-16be', utf16('name\tcategoryName\nZoë\tVögel\n').swap16()],
  ['windows-1252', Buffer.from('name;categoryName\nTom;Katzen\nZo\xeb;V\xf6gel\n', 'latin1')],
] as const) {
  test(`a file in ${encoding} is read`, async () => {
    const file = await openImportFile(new Blob([bytes]), 'animals.csv')

    assert.equal(file.encoding, encoding)
    assert.equal(file.isEncodingGuessed, encoding === 'windows-1252')
    // The letters that depend on the encoding are shown.
    assert.deepEqual(
      file.samples.map(({ fields }) => fields),
      [['Zoë', 'Vögel']],
    )
  })
}

test('another encoding can be chosen', async () => {
  const bytes = Buffer.from('name;categoryName\n\xa3\xf3d\x9f;Psy\n', 'latin1')

  const file = await openImportFile(new Blob([bytes]), 'animals.csv', { encoding: 'windows-1250' })

  assert.deepEqual(file.samples[0]?.fields, ['Łódź', 'Psy'])
})

test('the rows of an NDJSON file are sent as they are, without blank lines', async () => {
  const text = '{"name":"Rex","categoryId":9007199254740993}\r\n\n{"name":'
  const file = await read(text, 'animals.txt')

  assert.equal(file.format, 'ndjson')
  assert.equal(file.count, 2)
  assert.deepEqual(await rowsAsSent(file), [
    { line: 1, text: '{"name":"Rex","categoryId":9007199254740993}\r\n' },
    { line: 3, text: '{"name":\n' },
  ])
  assert.deepEqual(previewRows(file, guessMapping(file)), [
    { line: 1, values: { name: 'Rex', categoryName: '', categoryId: '9007199254740993', status: '' } },
    { line: 3, fault: 'The row is not valid JSON.' },
  ])
})

for (const [what, bytes, reason] of [
  ['an empty file', Buffer.from('\ufeff \r\n'), /is empty/],
  ['a file with a header only', Buffer.from('name,categoryId\n'), /no animals/],
  ['a workbook', Buffer.from('504b0304140006', 'hex'), /workbook, not text.* save it as CSV/],
  ['a picture', Buffer.from('ffd8ffe000104a46', 'hex'), /is not text/],
  ['a header that cannot be read', Buffer.from('"name,categoryId\n'), /names of the columns.*not closed/],
  ['a line without end', Buffer.from(`name,categoryId\n${'x'.repeat(1_100_000)}`), /Line 2 is longer than 1 MiB/],
] as const) {
  test(`${what} is refused in a sentence`, async () => {
    await assert.rejects(
      openImportFile(new Blob([bytes]), 'animals.csv'),
      (error) => error instanceof InvalidFile && reason.test(error.message) && /[.?]$/.test(error.message),
    )
  })
}

test('a large file is read in pieces that leave the page time, and is never in memory as a whole', async () => {
  const rows = new Blob([`${'x'.repeat(95)},1\n`.repeat(10_000)])
  const blob = new Blob(['name,categoryId\n', ...Array.from({ length: 30 }, () => rows)])
  let ticks = 0
  const timer = setInterval(() => ticks++)
  const shares: number[] = []

  const file = await openImportFile(blob, 'animals.csv', { onProgress: (share) => shares.push(share) })
  clearInterval(timer)

  assert.equal(file.count, 300_000)
  assert.ok(ticks > 0, 'the event loop had no turn')
  assert.ok(shares.length > 100 && shares.every((share) => share <= 1))
})

test('a first row with a number or a status is one of the data, unless its other cells are names of columns', async () => {
  for (const [text, above] of [
    ['Rex,Dogs,sold\nTom,Cats,\n', 'none'],
    ['Rex,7\nTom,8\n', 'none'],
    ['Rex,Dogs\nTom,Cats\n', 0],
    ['name,kind,2026\nRex,Dogs,1\n', 0],
    ['Stock of,2026\nname,kind\nRex,Dogs\n', 1],
  ] as const) {
    assert.equal((await read(text)).above, above, text)
  }
})

test('columns without names are guessed from their texts, and counted as the first row has them', async () => {
  const file = await read('7;Rex;frei\n8;Tom;verkauft;\n9;;\n9;Mia;weg\n9;Zoe;sold\n')

  assert.deepEqual(file.header, ['Column 1', 'Column 2', 'Column 3'])
  assert.deepEqual(guessMapping(file).columns, { name: 1, categoryId: 0, status: 2 })
  assert.deepEqual((await rowsAsSent(file, guessMapping(file))).slice(0, 2), [
    { line: 1, text: 'Rex,7,available\n' },
    { line: 2, fault: 'The first row has 3 columns, the row has 4.' },
  ])
})

function utf16(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
}

function read(text: string, name = 'animals.csv') {
  return openImportFile(new Blob([text]), name)
}

type OpenFile = Awaited<ReturnType<typeof read>>

async function rowsAsSent(file: OpenFile, mapping = guessMapping(file)) {
  const { encode } = rowEncoder(file, mapping)
  const sent: { line: number; text?: string; fault?: string }[] = []
  for await (const rows of rowsOf(file)) {
    for (const row of rows.map(encode)) {
      const { line, text, fault } = row
      sent.push({ line, ...(text !== undefined && { text }), ...(fault !== undefined && { fault }) })
    }
  }
  return sent
}

async function sentRows(text: string, mapping?: Mapping) {
  const file = await read(text)
  const used = mapping ?? guessMapping(file)
  return { header: rowEncoder(file, used).header, rows: await rowsAsSent(file, used) }
}
