import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodePet, type NewPet, type Pet } from '../../src/contract/pet.ts'
import { openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/engines.ts'
import { databaseIn, run, runProcess, startCommand } from '../support/service.ts'

const hostileNames = [
  '=HYPERLINK("http://x")',
  '+1',
  '-1',
  '@x',
  'a,b',
  'a"b',
  '"',
  '""',
  "'",
  'a\nb',
  'a\r\nb\r',
  '\ta',
  ' a ',
  '\ufeffa\ufeff',
  '\u2028a\u0085b',
  '\u0001\u001f\u007f',
  '\\n\\u0041',
  'Señor 🐇 ポチ',
  'e\u0301\u202eabc',
  '\u{10ffff}\ufffe',
  'null',
  '🐇'.repeat(1000),
]
const hostile: NewPet[] = [
  ...hostileNames.map((name): NewPet => ({ name, categoryId: 1n, status: 'available' })),
  ...[int64Min, -1n, 0n, 2n ** 53n + 1n, int64Max].map((categoryId): NewPet => ({ name: 'x', categoryId })),
]
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }
const tom: NewPet = { name: 'Tom, the cat', categoryId: -2n }

test('an export leaves out a damaged animal, says so and fails', async (t) => {
  const cwd = await folderWith(t, [rex, tom, rex])
  const db = new DatabaseSync(databaseIn(cwd).slice('sqlite:'.length))
  db.exec("UPDATE pets SET name = '' WHERE id = 2")
  db.close()

  const { code, stdout, stderr } = await runProcess(t, ['export'], { cwd, env: settings(cwd) })

  assert.equal(code, 1)
  assert.deepEqual(stdout.match(/"id":\d+/g), ['"id":1', '"id":3'])
  assert.match(stderr, /^The animal 2 cannot be read: it has no name\. It was left out: run petstore check\.$/m)
})

for (const ending of ['csv', 'ndjson']) {
  test(`every name and every int64 survives export to ${ending} and import`, async (t) => {
    const cwd = await folderWith(t, hostile)
    const there = `sqlite:${join(cwd, 'there.db')}`
    await (await openStorage(there)).close()

    await run(t, ['export', `animals.${ending}`], { cwd, env: settings(cwd) })
    const { code } = await run(t, ['import', `animals.${ending}`], { cwd, env: { PETSTORE_DATABASE_URL: there } })

    assert.equal(code, 0)
    assert.deepEqual(
      await petsIn(there),
      hostile.map((pet, index) => ({ id: BigInt(index + 1), ...pet })),
    )
  })
}

test('export writes NDJSON as the service answers it', async (t) => {
  const cwd = await folderWith(t, hostile)

  const { code, stdout, stderr } = await run(t, ['export'], { cwd, env: settings(cwd) })

  const pets = await petsIn(databaseIn(cwd))
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(stdout, pets.map((pet) => `${encodePet(pet)}\n`).join(''))
})

test('export --format csv writes CSV with a header, ascending by id', async (t) => {
  const cwd = await folderWith(t, [rex, tom])

  const { stdout } = await run(t, ['export', '--format', 'csv'], { cwd, env: settings(cwd) })

  assert.equal(stdout, 'id,name,categoryId,status\n1,Rex,1,sold\n2,"Tom, the cat",-2,\n')
})

test('export FILE says how many animals it wrote, and where', async (t) => {
  const cwd = await folderWith(t, [rex, tom])

  const { code, stdout, stderr } = await run(t, ['export', 'animals.csv'], { cwd, env: settings(cwd) })

  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Exported 2 animals from sqlite:\S+ to animals\.csv in [\d.]+ s\.\n$/)
})

test('export writes only the animals that match its filters', async (t) => {
  const cwd = await folderWith(t, [rex, tom, { ...tom, name: 'Mia' }])

  const { stdout } = await run(t, ['export', '--name', 'THE c', '--status', 'none', '--category', '-2'], {
    cwd,
    env: settings(cwd),
  })
  const refused = await run(t, ['export', '--status', 'lost'], { cwd, env: settings(cwd) })

  assert.equal(stdout, '{"id":2,"name":"Tom, the cat","categoryId":-2}\n')
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, 'petstore: --status must be one of available, pending, sold, none.\n'],
  )
})

test('export of an empty shop is a header alone, or nothing', async (t) => {
  const cwd = await folderWith(t, [])

  const csv = await run(t, ['export', '--format', 'csv'], { cwd, env: settings(cwd) })
  const ndjson = await run(t, ['export'], { cwd, env: settings(cwd) })

  assert.deepEqual([csv.stdout, ndjson.stdout], ['id,name,categoryId,status\n', ''])
})

test('export goes over as many pages as there are', async (t) => {
  const pets = Array.from({ length: 2_500 }, (_, index): NewPet => ({ name: `pet ${index}`, categoryId: 1n }))
  const cwd = await folderWith(t, pets)

  const { stdout } = await run(t, ['export'], { cwd, env: settings(cwd) })

  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { name: string }).name),
    pets.map(({ name }) => name),
  )
})

test('a file of export is for its owner alone', async (t) => {
  const cwd = await folderWith(t, [rex])

  for (const file of ['new.csv', 'new.ndjson']) {
    await run(t, ['export', file], { cwd, env: settings(cwd) })
    assert.equal(statSync(join(cwd, file)).mode & 0o777, 0o600)
  }
})

test('export FILE takes the place of an older file only when it is whole', async (t) => {
  const cwd = await folderWith(t, [rex])
  // Nothing can be written beside it: that name would be too long.
  const long = `${'a'.repeat(240)}.ndjson`
  writeFileSync(join(cwd, long), 'old')

  const refused = await run(t, ['export', long], { cwd, env: settings(cwd) })
  const kept = readFileSync(join(cwd, long), 'utf8')
  writeFileSync(join(cwd, 'again.ndjson'), 'old')
  await run(t, ['export', 'again.ndjson'], { cwd, env: settings(cwd) })

  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^petstore: The file a+\.ndjson cannot be written \(\w+\)\.\n$/)
  assert.equal(kept, 'old')
  assert.equal(readFileSync(join(cwd, 'again.ndjson'), 'utf8'), `${encodePet({ id: 1n, ...rex })}\n`)
  assert.deepEqual(readdirSync(cwd).toSorted(), [long, 'again.ndjson', 'petstore.db'])
})

test('export replaces a file neither by the nothing of a missing database nor by that of an empty shop', async (t) => {
  const cwd = await folderWith(t, [])
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nRex,1\n')
  const missing = await run(t, ['export', 'animals.csv'], { cwd })
  const empty = await run(t, ['export', 'animals.csv'], { cwd, env: settings(cwd) })

  assert.deepEqual(
    [missing.code, missing.stderr],
    [1, 'petstore: There is no database ./data/petstore.db: petstore serve makes it.\n'],
  )
  assert.deepEqual(
    [empty.code, empty.stderr],
    [1, `petstore: There are no such animals in ${databaseIn(cwd)}: animals.csv is left as it is. Remove it first.\n`],
  )
  assert.equal(readFileSync(join(cwd, 'animals.csv'), 'utf8'), 'name,categoryId\nRex,1\n')
  assert.deepEqual(readdirSync(cwd).toSorted(), ['animals.csv', 'petstore.db'])
})

test('export does not take the place of what is no file', async (t) => {
  const cwd = await folderWith(t, [rex])
  mkdirSync(join(cwd, 'animals.csv'))

  const { code, stderr } = await run(t, ['export', 'animals.csv'], { cwd, env: settings(cwd) })

  assert.equal(code, 1)
  assert.match(stderr, /^petstore: animals\.csv is not a file\.\n$/)
  assert.deepEqual(readdirSync(cwd).toSorted(), ['animals.csv', 'petstore.db'])
})

test('export to a folder that is not there is refused in one sentence', async (t) => {
  const cwd = await folderWith(t, [rex])

  const { code, stderr } = await run(t, ['export', 'nowhere/animals.csv'], { cwd, env: settings(cwd) })

  assert.equal(code, 1)
  assert.match(stderr, /^petstore: The file nowhere\/animals\.csv cannot be written \(ENOENT\)\.\n$/)
  assert.ok(!readdirSync(cwd).includes('nowhere'))
})

test('export ends quietly when whoever reads it has seen enough', async (t) => {
  // More than a pipe holds.
  const pets = Array.from({ length: 5_000 }, (): NewPet => ({ name: 'x'.repeat(100), categoryId: 1n }))
  const cwd = await folderWith(t, pets)

  const { child, output } = startCommand(t, ['export'], { cwd, env: settings(cwd) })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await closed

  assert.deepEqual([code, output.stderr], [0, ''])
})

for (const [args, refusal] of [
  [['animals.txt'], /^petstore: The format of animals\.txt is unknown: add --format csv or ndjson\.\n$/],
  [['--format', 'xml'], /^petstore: --format must be csv or ndjson, got "xml"\.\n$/],
] as const) {
  test(`export ${args.join(' ')} is refused in one sentence`, async (t) => {
    const { code, stderr } = await run(t, ['export', ...args])

    assert.equal(code, 1)
    assert.match(stderr, refusal)
  })
}

test('export of a database in memory is refused', async (t) => {
  const { code, stderr } = await run(t, ['export'], { env: { PETSTORE_DATABASE_URL: 'sqlite::memory:' } })

  assert.equal(code, 1)
  assert.match(stderr, /^petstore: Animals of an in-memory database .*PETSTORE_DATABASE_URL to a file\.\n$/)
})

test('export --spreadsheet writes a byte order mark, names of categories and the separator', async (t) => {
  const cwd = temporaryFolder(t)
  const url = `sqlite:${join(cwd, 'shop.db')}`
  const storage = await openStorage(url)
  await storage.categories.put({ id: 3n, name: 'Cats' })
  await storage.pets.create({ name: 'Tom; x', categoryId: 3n })
  await storage.close()
  const env = { PETSTORE_DATABASE_URL: url }

  const ran = await run(t, ['export', 'a.csv', '--spreadsheet', '--separator', 'semicolon'], { cwd, env })
  const ndjson = await run(t, ['export', '--spreadsheet'], { cwd, env })
  const dots = await run(t, ['export', 'b.csv', '--separator', 'dots'], { cwd, env })

  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(
    readFileSync(join(cwd, 'a.csv'), 'utf8'),
    '\ufeffid;name;categoryId;status;categoryName\n1;"Tom; x";3;;Cats\n',
  )
  assert.match(ndjson.stderr, /^petstore: --spreadsheet and --separator are for CSV: add --format csv\.\n$/)
  assert.match(dots.stderr, /^petstore: --separator must be comma, semicolon or tab, got "dots"\.\n$/)
})

/** A folder with a shop of these animals. */
async function folderWith(t: TestContext, pets: readonly NewPet[]): Promise<string> {
  const folder = temporaryFolder(t)
  const { imports, close } = await openStorage(databaseIn(folder))
  await imports.add(pets)
  await close()
  return folder
}

function settings(folder: string): Record<string, string> {
  return { PETSTORE_DATABASE_URL: databaseIn(folder) }
}

async function petsIn(url: string): Promise<Pet[]> {
  const storage = await openStorage(url)
  const { items } = await storage.pets.list({}, 1_000, 0n)
  await storage.close()
  return items
}
