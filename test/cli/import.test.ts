import assert from 'node:assert/strict'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderWithDatabase, run, runProcess } from '../support/service.ts'
import {
  assertRefused,
  assertSaid,
  column,
  env,
  folderWith,
  namesIn,
  numbered,
  threeRows,
} from '../support/imported-files.ts'

for (const [name, content] of [
  ['animals.csv', threeRows],
  [
    'animals.ndjson',
    '{"name":"Rex","categoryId":1,"status":"sold"}\n{"name":"Tom","categoryId":2}\n{"name":"Mia","categoryId":3,"status":"available"}\n',
  ],
  ['animals.JSONL', '{"name":"Rex","categoryId":1}\n{"name":"Tom","categoryId":2}\n{"name":"Mia","categoryId":3}\n'],
] as const) {
  test(`import ${name} adds its animals in their order and says how many`, async (t) => {
    const cwd = folderWith(t, { [name]: content })

    const ran = await runProcess(t, ['import', name], { cwd, env })

    assertSaid(ran, /^Added 3 animals to sqlite:\.\/petstore\.db in [\d.]+ s\.\n$/)
    assert.deepEqual(namesIn(cwd), ['Rex', 'Tom', 'Mia'])
    assert.ok(!existsSync(join(cwd, `${name}.rejects.csv`)) && !existsSync(join(cwd, `${name}.rejects.ndjson`)))
  })
}

test('events of the command line have the keyname "command line", and no keyid', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': threeRows })

  await run(t, ['import', 'animals.csv'], { cwd, env })

  assert.deepEqual(authorsIn(cwd), Array(3).fill('{"keyname":"command line"}'))
})

test('import - reads NDJSON from standard input', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')

  const ran = await run(t, ['import', '-'], { cwd, env, input: '{"name":"Rex","categoryId":1}' })

  assertSaid(ran, /^Added 1 animal to \S+ in /)
  assert.deepEqual(namesIn(cwd), ['Rex'])
})

test('import - --format csv reads CSV from standard input', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')

  const ran = await run(t, ['import', '-', '--format', 'csv'], { cwd, env, input: threeRows })

  assertSaid(ran, /^Added 3 animals to \S+ in /)
})

test('import - puts rejected rows into petstore-import.rejects', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')

  const ran = await run(t, ['import', '-'], { cwd, env, input: '{}' })

  assert.equal(ran.code, 1)
  assert.match(ran.stdout, /^Added 0 animals to \S+ in .*: 1 row rejected, see petstore-import\.rejects\.ndjson\.\n$/)
  assert.equal(JSON.parse(readFileSync(join(cwd, 'petstore-import.rejects.ndjson'), 'utf8')).row, '{}')
})

test('import gives every animal a new id, whatever the file says', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': 'id,name,categoryId\n77,Rex,1\n77,Tom,2\n' })

  await run(t, ['import', 'animals.csv'], { cwd, env })

  assert.deepEqual(idsIn(cwd), [1, 2])
})

test('import of a file without rows adds nothing', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': 'name,categoryId\n', 'animals.ndjson': '' })

  assertSaid(await run(t, ['import', 'animals.csv'], { cwd, env }), /^Added 0 animals to \S+ in /)
  assertSaid(await run(t, ['import', 'animals.ndjson'], { cwd, env }), /^Added 0 animals to \S+ in /)
})

test('import rejects bad rows with line and reason, and the rest goes in', async (t) => {
  const cwd = folderWith(t, {
    'animals.csv': 'id,name,categoryId,status\n1,Rex,1,sold\n2,"a\nb",x,\n3,Tom,2,lost\n4,Mia,3,\n',
  })

  const { code, stdout, stderr } = await run(t, ['import', 'animals.csv'], { cwd, env })

  const badId = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.'
  const badStatus = 'status must be one of available, pending, sold.'
  assert.equal(code, 1)
  assert.match(stdout, /^Added 2 animals to \S+ in [\d.]+ s: 2 rows rejected, see animals\.csv\.rejects\.csv\.\n$/)
  assert.equal(stderr, `line 3: ${badId}\nline 5: ${badStatus}\n`)
  assert.equal(
    readFileSync(join(cwd, 'animals.csv.rejects.csv'), 'utf8'),
    `line,reason,id,name,categoryId,status\n3,${badId},2,"a\nb",x,\n5,"${badStatus}",3,Tom,2,lost\n`,
  )
  assert.deepEqual(namesIn(cwd), ['Rex', 'Mia'])
})

test('import takes the file of rejected rows once it is mended', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': 'name,categoryId\nRex,one\nTom,2\n' })
  await run(t, ['import', 'animals.csv'], { cwd, env })
  const rejects = readFileSync(join(cwd, 'animals.csv.rejects.csv'), 'utf8')
  writeFileSync(join(cwd, 'mended.csv'), rejects.replace('Rex,one', 'Rex,1'))

  const ran = await run(t, ['import', 'mended.csv'], { cwd, env })

  assertSaid(ran, /^Added 1 animal to \S+ in /)
  assert.deepEqual(namesIn(cwd), ['Tom', 'Rex'])
})

test('import tells of the first 20 rejected rows and of how many more there are; the file has all', async (t) => {
  const cwd = folderWith(t, { 'animals.ndjson': '{}\n'.repeat(25) })

  const { stderr } = await run(t, ['import', 'animals.ndjson', '--rejects', 'bad.ndjson'], { cwd, env })

  const lines = stderr.trimEnd().split('\n')
  assert.deepEqual([lines.length, lines[19]?.slice(0, 8), lines[20]], [21, 'line 20:', '… and 5 more rows'])
  const rejects = readFileSync(join(cwd, 'bad.ndjson'), 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    rejects.map((row) => (JSON.parse(row) as { line: number }).line),
    Array.from({ length: 25 }, (_, index) => index + 1),
  )
})

test('import --all-or-nothing adds all animals', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': threeRows })

  const ran = await run(t, ['import', 'animals.csv', '--all-or-nothing'], { cwd, env })

  assertSaid(ran, /^Added 3 animals to \S+ in /)
  assert.deepEqual(namesIn(cwd), ['Rex', 'Tom', 'Mia'])
})

test('import --all-or-nothing adds nothing when a row is rejected, and tells of all that are', async (t) => {
  const cwd = folderWith(t, {
    'animals.csv': `${threeRows}bad,,\n${numbered(10_000).replaceAll(',1\n', ',1,\n')}worse,,\n`,
  })

  const { code, stdout, stderr } = await run(t, ['import', 'animals.csv', '--all-or-nothing'], { cwd, env })

  assert.equal(code, 1)
  assert.equal(stdout, 'Added nothing to sqlite:./petstore.db: 2 rows rejected, see animals.csv.rejects.csv.\n')
  assert.deepEqual(stderr.match(/^line \d+/gm), ['line 5', 'line 10006'])
  assert.deepEqual(namesIn(cwd), [])
})

for (const [name, content, refusal] of [
  ['empty.csv', '', /^petstore: The file is empty: .*\.\n$/],
  ['german.csv', 'Name;Kategorie\nRex;1\n', /^petstore: The header has no column "name": .*\.\n$/],
  ['animals.txt', threeRows, /^petstore: The format of animals\.txt is unknown: .*\.\n$/],
] as const) {
  test(`import of ${name} is refused in one sentence`, async (t) => {
    const cwd = folderWith(t, { [name]: content })

    assertRefused(await run(t, ['import', name], { cwd, env }), refusal)
  })
}

for (const [args, refusal] of [
  [['nowhere.csv'], /^petstore: There is no file nowhere\.csv\.\n$/],
  [['.', '--format', 'csv'], /^petstore: \. is a folder: .*\.\n$/],
  [['animals.csv', '--format', 'xml'], /^petstore: --format must be csv or ndjson, got "xml"\.\n$/],
  [['animals.csv', '--resume', '--restart'], /^petstore: Give one of --resume, --restart and --dry-run\.\n$/],
  [['-', '--resume'], /^petstore: Only a file can be resumed: .*\.\n$/],
  [
    ['animals.csv', '--rejects', 'link.csv'],
    /^petstore: The rejected rows cannot be written into animals\.csv itself: .*\.\n$/,
  ],
] as const) {
  test(`import ${args.join(' ')} is refused in one sentence`, async (t) => {
    const cwd = folderWith(t, { 'animals.csv': 'name,categoryId\nRex,one\n' })
    symlinkSync('animals.csv', join(cwd, 'link.csv'))

    assertRefused(await run(t, ['import', ...args], { cwd, env }), refusal)
    assert.equal(readFileSync(join(cwd, 'animals.csv'), 'utf8'), 'name,categoryId\nRex,one\n')
  })
}

test('import --dry-run says what it would do, with new categories, and changes nothing', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': 'name;categoryName\nRex;Dogs\nTom;\nMia;a\u001bb\n' })

  const ran = await run(t, ['import', 'animals.csv', '--dry-run', '--create-categories'], { cwd, env })
  const plain = await run(t, ['import', 'animals.csv', '--dry-run'], { cwd, env })

  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /^line 3: categoryName must be a string of 1 to 1000 characters\.\n$/)
  assert.equal(
    ran.stdout,
    'This would add 2 animals to sqlite:./petstore.db, and reject 1 row. ' +
      'New categories: "Dogs", "a\\u001bb". Nothing was changed.\n',
  )
  assert.equal(
    plain.stdout,
    'This would add 0 animals to sqlite:./petstore.db, and reject 3 rows. Nothing was changed.\n',
  )
  assert.match(plain.stderr, /^line 2: No category is called "Dogs"\.\n/)
  assert.ok(!existsSync(join(cwd, 'animals.csv.rejects.csv')))
  assert.equal((await run(t, ['import', 'animals.csv', '--dry-run', '--resume'], { cwd, env })).code, 1)
})

test('import --create-categories makes the categories that the file names', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': 'name,categoryName\nRex,Dogs\nTom,Cats\nMia,DOGS\n' })

  assertSaid(await run(t, ['import', 'animals.csv', '--create-categories'], { cwd, env }), /^Added 3 animals to /)

  assert.deepEqual(column(cwd, 'name', 'categories'), ['Dogs', 'Cats'])
  assert.deepEqual(column(cwd, 'category_id'), [1, 2, 1])
})

test('import --all-or-nothing --create-categories makes none when a row is rejected', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': 'name,categoryName\nRex,Dogs\n,Cats\n' })

  const ran = await run(t, ['import', 'animals.csv', '--create-categories', '--all-or-nothing'], { cwd, env })

  assert.equal(ran.code, 1)
  assert.deepEqual(column(cwd, 'name', 'categories'), [])
})

test('import into a database in memory is refused', async (t) => {
  const ran = await run(t, ['import', '-'], { env: { PETSTORE_DATABASE_URL: 'sqlite::memory:' } })

  assertRefused(ran, /^petstore: Animals of an in-memory database .*PETSTORE_DATABASE_URL to a file\.\n$/)
})

function idsIn(folder: string): number[] {
  return column<number>(folder, 'id')
}

function authorsIn(folder: string): string[] {
  return column<string>(folder, 'author', 'events')
}
