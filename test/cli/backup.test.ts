import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openStorage } from '../../src/storage/open.ts'
import { pragma } from '../../src/storage/sqlite/connection/database.ts'
import { nextVersion } from '../support/next-version.ts'
import { temporaryFolder } from '../support/engines.ts'
import { databaseIn, run, runProcess, type Service, startService } from '../support/service.ts'

const key = 'a-key-that-outlives-the-backup'

test('a backup of a running service restores, and holds all that was acknowledged before it began', async (t) => {
  const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'silent' }
  const service = await startService(t, { env })
  const acknowledged: string[] = []
  const over = new AbortController()
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) acknowledged.push(await create(service))
  }
  const clients = Array.from({ length: 8 }, client)
  while (acknowledged.length < 200) await wait(10)

  const before = [...acknowledged]
  const file = join(service.cwd, 'backup.db')
  const ran = await runProcess(t, ['backup', file], { cwd: service.cwd })
  over.abort()
  await Promise.all(clients)

  assert.equal(ran.code, 0, ran.stderr)
  assert.ok(acknowledged.length > before.length, 'nothing was added during the backup')
  assert.deepEqual(pragmaOf(file, 'integrity_check'), 'ok')
  const restored = await startService(t, { env: { ...env, PETSTORE_DATABASE_URL: `sqlite:${file}` } })
  const animals = await allAnimals(restored)
  const missing = before.filter((animal) => !animals.has(animal))
  assert.deepEqual(missing, [])
})

test('backup says what it copied, where to, its size and how long it took', async (t) => {
  const cwd = temporaryFolder(t)
  const env = { PETSTORE_DATABASE_URL: 'sqlite:./petstore.db' }
  await run(t, ['migrate'], { cwd, env })

  const { code, stdout, stderr } = await run(t, ['backup', 'backup.db'], { cwd, env })

  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Backed up sqlite:\.\/petstore\.db to backup\.db: \d+\.\d MB in \d+\.\d+ s\.\n$/)
})

test('backup does not touch a file that is there already', async (t) => {
  const cwd = temporaryFolder(t)
  const env = { PETSTORE_DATABASE_URL: databaseIn(cwd) }
  await run(t, ['migrate'], { cwd, env })
  writeFileSync(join(cwd, 'backup.db'), 'precious')

  const { code, stdout, stderr } = await run(t, ['backup', 'backup.db'], { cwd, env })

  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^petstore: backup\.db exists already: .*\.\n$/)
  assert.equal(readFileSync(join(cwd, 'backup.db'), 'utf8'), 'precious')
})

test('backup is not held up by what one that was killed left behind', async (t) => {
  const cwd = temporaryFolder(t)
  const env = { PETSTORE_DATABASE_URL: databaseIn(cwd) }
  await run(t, ['migrate'], { cwd, env })
  const partial = join(cwd, 'backup.db.partial-999999999-abc') // More than any process id.
  writeFileSync(partial, 'half a database')
  writeFileSync(`${partial}-journal`, 'half a journal')

  const { code } = await run(t, ['backup', 'backup.db'], { cwd, env })

  assert.equal(code, 0)
  assert.equal(pragmaOf(join(cwd, 'backup.db'), 'integrity_check'), 'ok')
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.includes('partial')),
    [],
  )
})

test('backup copies the schema as it is and leaves that of the database', async (t) => {
  const cwd = temporaryFolder(t)
  const path = join(cwd, 'petstore.db')
  await (await openStorage(`sqlite:${path}`)).close()
  const { main: program } = await nextVersion()
  const env = { PETSTORE_DATABASE_URL: databaseIn(cwd) }

  const { code } = await run(t, ['backup', 'backup.db'], { program, cwd, env })

  assert.equal(code, 0)
  assert.deepEqual([pragmaOf(path, 'user_version'), pragmaOf(join(cwd, 'backup.db'), 'user_version')], [100, 100])
})

for (const [what, url, file, refusal] of [
  ['a database in memory', 'sqlite::memory:', 'backup.db', /^petstore: An in-memory database .*\.\n$/],
  ['a database that is not there', 'sqlite:./nowhere.db', 'backup.db', /^petstore: There is no database .*\.\n$/],
  ['what is no database', 'sqlite:./text.db', 'backup.db', /^petstore: .*text\.db is not a SQLite database\.\n$/],
  [
    'a database to a folder that is not there',
    'sqlite:./petstore.db',
    'nowhere/backup.db',
    /^petstore: .*nowhere.*\.\n$/,
  ],
] as const) {
  test(`backup of ${what} is refused and leaves nothing behind`, async (t) => {
    const cwd = temporaryFolder(t)
    writeFileSync(join(cwd, 'text.db'), 'animals\n'.repeat(200))
    await run(t, ['migrate'], { cwd, env: { PETSTORE_DATABASE_URL: 'sqlite:./petstore.db' } })

    const { code, stdout, stderr } = await run(t, ['backup', file], { cwd, env: { PETSTORE_DATABASE_URL: url } })

    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, refusal)
    assert.deepEqual(readdirSync(cwd).toSorted(), ['petstore.db', 'text.db'])
  })
}

let created = 0

/** Adds an animal and returns it as it was answered. */
async function create({ origin }: Service): Promise<string> {
  const response = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `pet ${++created}`, categoryId: 1 }),
  })
  const answer = await response.text()
  assert.equal(response.status, 201, answer)
  return answer
}

/** Every animal as it is answered in a list. */
async function allAnimals({ origin }: Service): Promise<Set<string>> {
  const animals = new Set<string>()
  let url: string | undefined = `${origin}/v1/pets?limit=100`
  while (url !== undefined) {
    const response: Response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    for (const animal of (await response.json()) as object[]) animals.add(JSON.stringify(animal))
    url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return animals
}

function pragmaOf(path: string, name: string): unknown {
  const db = new DatabaseSync(path)
  try {
    return pragma(db, name)
  } finally {
    db.close()
  }
}
