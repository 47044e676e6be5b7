import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  clientSources,
  pathsOf,
  refuseImports,
  refuseCircles,
  root,
  type Source,
  sources,
  sourcesIn,
} from './support/sources.ts'

const verifySources = sourcesIn('verify/src')

test('the imports of the program are found', () => {
  const app = sources.find(({ path }) => path === 'src/http/app.ts')
  const main = sources.find(({ path }) => path === 'src/cli/main.ts')

  assert.ok(app?.imports.includes('src/http/shop-edge.ts') && app.imports.includes('src/http/routes/health.ts'))
  assert.ok(main?.imports.includes('src/cli/serving/serve.ts'), 'import() is not found')
})

test('every import leads to a file or names a package', () => {
  const paths = new Set(sources.map(({ path }) => path))

  refuseImports(sources, (target) => target.startsWith('src/') && !paths.has(target))
})

test('an install can load every module', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'src/cli/compile.js')], { encoding: 'utf8' })

  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})

test('the rooms are contract, inventory, transfer, storage, webhooks, mcp, http, sandbox, threads and cli', () => {
  const rooms = new Set(sources.map(({ path }) => path.split('/')[1] ?? ''))

  assert.deepEqual([...rooms].toSorted(), [
    'cli',
    'contract',
    'http',
    'inventory',
    'mcp',
    'sandbox',
    'storage',
    'threads',
    'transfer',
    'webhooks',
  ])
})

test('contract imports only typebox and itself', () => {
  refuseImports(within('src/contract/'), (target) => target !== 'typebox' && !isIn(target, ['contract']))
})

test('inventory imports contract and itself, and of node only crypto and zlib', () => {
  const allowed = new Set(['node:crypto', 'node:zlib'])

  refuseImports(within('src/inventory/'), (target) => !allowed.has(target) && !isIn(target, ['contract', 'inventory']))
})

/** The rooms of a storage engine. Both engines have the same. */
function engineRooms(engine: string): Record<string, readonly string[]> {
  const below = (...rooms: string[]) => [
    ...rooms.map((room) => `${engine}/${room}`),
    'storage/shared',
    'threads',
    'contract',
    'inventory',
  ]
  return {
    [`${engine}/*`]: below('ports', 'writes', 'reads', 'schema', 'connection'),
    [`${engine}/ports`]: below('writes', 'reads', 'schema', 'connection'),
    [`${engine}/upkeep`]: below('writes', 'schema', 'connection'),
    [`${engine}/writes`]: below('rules', 'reads', 'schema', 'connection'),
    [`${engine}/rules`]: below('schema', 'connection'),
    [`${engine}/reads`]: below('schema', 'connection'),
    [`${engine}/schema`]: below('connection'),
    [`${engine}/connection`]: below(),
  }
}

/**
 * Every room, and the rooms that it may import beside itself. A room may import only what stands below it, so no arrow
 * runs upwards and there is no circle. A room without folders of its own has one line; the files beside its folders are
 * `room/*`.
 */
const arrows: Record<string, readonly string[]> = {
  'cli/*': [
    'cli/doctor',
    'cli/listen',
    'cli/serving',
    'cli/transfer',
    'cli/shared',
    'sandbox',
    'http',
    'mcp',
    'webhooks',
    'storage',
    'contract',
    'inventory',
  ],
  'cli/doctor': ['cli/serving', 'cli/shared', 'storage', 'contract', 'inventory'],
  'cli/listen': ['cli/serving', 'cli/shared', 'webhooks', 'contract', 'inventory'],
  'cli/serving': ['cli/shared', 'http', 'webhooks', 'storage', 'threads', 'contract', 'inventory'],
  'cli/transfer': ['cli/shared', 'storage', 'transfer', 'contract', 'inventory'],
  'cli/shared': ['storage', 'contract', 'inventory'],

  'sandbox/*': ['sandbox/bugs', 'http', 'webhooks', 'storage', 'contract', 'inventory'],
  // Never in `serve`: only a sandbox is wrong on purpose.
  'sandbox/bugs': ['http', 'contract', 'inventory'],

  // In the order in which a request meets them.
  'http/app.ts': ['http', 'contract', 'inventory'],
  'http/mcp.ts': [
    'http/request-path.ts',
    'http/gates',
    'http/replies',
    'http/route.ts',
    'http/route-table.ts',
    'http/exchange.ts',
    'http/request',
    'mcp',
    'contract',
    'inventory',
  ],
  'http/shop-edge.ts': [
    'http/gates',
    'http/routes',
    'http/cache',
    'http/events',
    'http/replies',
    'http/route-table.ts',
    'http/exchange.ts',
    'http/request',
    'contract',
    'inventory',
  ],
  'http/server': [
    'http/node-http.ts',
    'http/request-path.ts',
    'http/cache',
    'http/replies',
    'http/exchange.ts',
    'http/response-state.ts',
    'http/request',
    'contract',
    'inventory',
  ],
  'http/request-path.ts': ['http/replies', 'http/exchange.ts'],
  'http/gates': [
    'http/cache',
    'http/replies',
    'http/route-table.ts',
    'http/exchange.ts',
    'http/request',
    'contract',
    'inventory',
  ],
  'http/routes': [
    'http/events',
    'http/transfer',
    'http/replies',
    'http/route.ts',
    'http/exchange.ts',
    'http/request',
    'transfer',
    'webhooks',
    'contract',
    'inventory',
  ],
  'http/pages': ['http/replies', 'http/route.ts', 'http/exchange.ts', 'http/request', 'contract', 'inventory'],
  'http/transfer': ['http/replies', 'http/request', 'transfer', 'contract', 'inventory'],
  'http/cache': ['http/replies', 'http/exchange.ts', 'http/request', 'contract', 'inventory'],
  'http/events': ['http/replies', 'http/exchange.ts', 'http/request', 'contract', 'inventory'],
  'http/replies': [
    'http/node-http.ts',
    'http/exchange.ts',
    'http/response-state.ts',
    'http/request',
    'contract',
    'inventory',
  ],
  'http/route.ts': ['http/exchange.ts', 'http/request', 'contract', 'inventory'],
  'http/route-table.ts': ['http/exchange.ts'],
  'http/exchange.ts': ['http/response-state.ts', 'http/request', 'contract', 'inventory'],
  'http/response-state.ts': ['http/request', 'inventory'],
  'http/request': ['contract', 'inventory'],
  'http/node-http.ts': [],

  'storage/*': [
    'storage/check',
    'storage/sqlite',
    'storage/postgres',
    'storage/shared',
    'threads',
    'contract',
    'inventory',
  ],
  'storage/check': ['storage/sqlite', 'storage/postgres', 'storage/shared', 'contract', 'inventory'],
  'storage/copy': ['storage/sqlite', 'storage/postgres', 'storage/shared', 'contract', 'inventory'],
  ...engineRooms('storage/sqlite'),
  ...engineRooms('storage/postgres'),
  'storage/shared/ports': [
    'storage/shared/reads',
    'storage/shared/writes',
    'storage/shared/*',
    'contract',
    'inventory',
  ],
  'storage/shared/reads': ['storage/shared/rows', 'contract', 'inventory'],
  'storage/shared/writes': ['storage/shared/rows', 'storage/shared/*', 'contract', 'inventory'],
  'storage/shared/rows': ['contract', 'inventory'],
  'storage/shared/*': ['contract', 'inventory'],

  // It knows nothing of the shop.
  threads: [],

  mcp: ['contract'],

  webhooks: ['contract', 'inventory'],

  'transfer/*': ['transfer/formats', 'inventory', 'contract'],
  'transfer/import': ['transfer/formats', 'inventory', 'contract'],
  'transfer/formats': ['contract'],

  'inventory/rules': ['inventory/*', 'contract'],
  'inventory/*': ['contract'],

  'contract/document': ['contract/operations', 'contract/*'],
  'contract/operations': ['contract/*'],
  'contract/*': [],
}

test('every room imports only the rooms that stand below it', () => {
  for (const [index, [room, below]] of Object.entries(arrows).entries()) {
    const above = Object.keys(arrows).slice(0, index)
    assert.deepEqual(
      above.filter((other) => below.some((name) => isRoom(other, name))),
      [],
      `${room} imports what is above it`,
    )
  }
  for (const source of sources) {
    const room = roomOf(source.path)
    const below = arrows[room]
    assert.ok(below !== undefined, `${room} is not in the table of rooms`)
    refuseImports(
      [source],
      (target) => isOurs(target) && roomOf(target) !== room && !below.some((name) => isRoom(roomOf(target), name)),
    )
  }
})

test('only gates write what the gates find, and only `send` what is shared', () => {
  const writes = (pattern: RegExp) =>
    pathsOf(sources.filter(({ text }) => pattern.test(text))).map((path) => roomOf(path))

  assert.deepEqual(
    [...new Set(writes(/\bfindings\.\w+ = /))].toSorted(),
    // A request within another has its key. The bugs of a sandbox are wrong on purpose.
    ['http/cache', 'http/exchange.ts', 'http/gates', 'sandbox/bugs'],
  )
  assert.deepEqual(writes(/\.isShared = /), ['http/replies'])
})

test('only the verb sandbox loads the sandbox', () => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const loaded = new Set<string>()
  function load(path: string): void {
    if (loaded.has(path)) return
    loaded.add(path)
    for (const target of byPath.get(path)?.imports ?? []) if (isOurs(target)) load(target)
  }
  load('src/cli/serving/serve.ts')
  load('src/http/app.ts')

  assert.ok(loaded.has('src/http/shop-edge.ts') && loaded.has('src/cli/serving/processes/worker-process.ts'))
  assert.deepEqual(
    [...loaded].filter((path) => path.startsWith('src/sandbox/')),
    [],
  )
  assert.deepEqual(
    pathsOf(
      sources.filter(
        ({ path, imports }) =>
          !path.startsWith('src/sandbox/') && imports.some((target) => target.startsWith('src/sandbox/')),
      ),
    ),
    ['src/cli/sandbox.ts'],
  )
})

/** Files that one engine has and the other has not, and why. All others have the same names in both. */
const filesOfOneEngine = {
  sqlite: {
    'compose-storage.ts': 'this process may write, or another one, or there is no file',
    'connection/create-file.ts': 'a file can be missing, and its log left alone',
    'connection/database-files.ts': 'a file can be moved or replaced under the service',
    'connection/health.ts': 'the disk is ours to watch',
    'connection/lock-database.ts': 'a restore or a migration needs the file for itself',
    'connection/make-folder.ts': 'a file needs a folder',
    'connection/while-locked.ts': 'processes that start at once lock one file',
    'open-in-memory.ts': 'a server is a process of its own',
    'open-read-only.ts': 'a command that only reads needs no writer thread, and may find a folder without a log',
    'prepare-file.ts': 'the file is made and migrated before the writer thread opens it',
    'readiness.ts': 'the disk is ours to try',
    'reads/name-walk.ts': 'the order of names is in the index of words; PostgreSQL has an index of its own',
    'reads/open-reader.ts': 'the file may be another one by now; a server checks who connects',
    'reads/pet-json.ts': 'rows of a database in the process cost more than their JSON',
    'reads/pet-proposals.ts': 'names are compared before they are read; PostgreSQL compares stored words',
    'reads/pet-reads.ts': 'several reads in one step see one snapshot, on any connection',
    'reads/sampled-names.ts': 'the sample of two indexes; PostgreSQL has one (reads/word-statistics.ts)',
    'reads/search-meter.ts': 'a search counts what it compares; PostgreSQL counts statements',
    'reads/search-thread.ts': 'a synchronous database would block the event loop',
    'reads/searcher.ts': 'a search runs on a thread',
    'reads/shared-snapshot.ts': 'a read alone takes a file lock',
    'reads/version.ts': 'PostgreSQL has no version that is cheap to read',
    'reads/whole-pets.ts': 'a synchronous database reads and decodes large texts one by one',
    'reads/word-index.ts': 'SQLite can go through the words of its index one by one',
    'schema/refuse-unusable.ts': 'on PostgreSQL a schema may be one number ahead, and a check asks differently',
    'upkeep/backup-file.ts': 'pg_restore reads the backups of PostgreSQL',
    'upkeep/backup.ts': 'PostgreSQL has backup tools of its own',
    'upkeep/image.ts': 'only a database in memory is bytes',
    'upkeep/insert-rows.ts': 'a copy to PostgreSQL uses COPY',
    'upkeep/replace-database.ts': 'pg_restore replaces a database of PostgreSQL',
    'writes/commit-targets.ts':
      'a group is committed in a thread, in this one or in another process; a server is one place',
    'writes/delivery-writes.ts': 'on PostgreSQL they are statements of a connection of their own',
    'writes/save-log.ts': 'a server keeps its log to itself',
    'writes/write-ahead-log.ts': 'PostgreSQL limits its log itself',
    'writes/write-kind.ts': 'the writer, not each write, counts what is no change of the shop',
    'writes/writer-thread.ts': 'a synchronous database would block the event loop',
  },
  postgres: {
    'connection/begin.ts': 'sessions are read-only, except in a transaction that says otherwise',
    'connection/connect.ts': 'there is a network',
    'connection/encoding-check.ts': 'a server has databases of several encodings',
    'connection/many-rows.ts': 'rows are parameters of one statement, or lines of COPY',
    'connection/pipeline.ts': 'a transaction is one round trip',
    'connection/reconnecting-session.ts': 'a connection can be lost',
    'connection/server.ts': 'the URL names a server',
    'connection/settings.ts': 'a server, a database and a role have settings for every session',
    'connection/statement.ts': 'SQLite prepares a statement once, a server by name',
    'reads/coalesce.ts': 'reads that arrive together share a round trip',
    'reads/read.ts': 'a page and the history of its position are read together',
    'reads/readers.ts': 'reads use several connections',
    'reads/replica-watch.ts': 'only a server has replicas',
    'reads/replicas.ts': 'only a server has replicas',
    'reads/word-statistics.ts': 'SQLite counts a word in its index',
    'rules/add-pets.ts': 'creates without facts are one statement for the whole group',
    'rules/change-statements.ts': 'one statement stores the changes of a whole group',
    'rules/fact-statements.ts': 'one statement loads the facts of a whole group',
    'schema/apply-migration.ts': 'others read and write while the schema changes',
    'schema/counters.ts': 'ids come from a row, on SQLite from AUTOINCREMENT',
    'upkeep/read-by-cursor.ts': 'a server sends all rows of a query at once',
    'writes/batch.ts': 'writes of a kind share their statements',
    'writes/counters-holder.ts': 'an instance can vanish while it has locked the counters',
    'writes/refuse-read-only.ts': 'a user of a server has grants, a file has permissions',
    'writes/transaction.ts': 'writers of several instances wait for each other',
  },
}

test('both storage engines have the same file names, but for the exceptions listed here', () => {
  const names = (engine: string) =>
    readdirSync(join(root, 'src/storage', engine), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .toSorted()
  const { sqlite, postgres } = filesOfOneEngine

  assert.deepEqual(
    names('sqlite').filter((name) => !names('postgres').includes(name)),
    Object.keys(sqlite),
  )
  assert.deepEqual(
    names('postgres').filter((name) => !names('sqlite').includes(name)),
    Object.keys(postgres),
  )
})

test('the client imports only itself, and the service does not import it', () => {
  assert.ok(clientSources.length > 0)
  refuseImports(clientSources, (target) => !target.startsWith('client/src/'))
  refuseImports(sources, (target) => target.startsWith('client/'))
})

/** The rooms of verify, and those that each may import beside itself. Files beside them are `*`. */
const verifyArrows: Record<string, readonly string[]> = {
  '*': ['report', 'checks', 'model', 'shop'],
  report: ['*', 'shop'],
  checks: ['shop', 'http'],
  model: ['shop'],
  shop: ['http'],
  http: [],
}

test('verify imports only node and its own rooms downwards: it shares nothing with what it judges', () => {
  const roomIn = (path: string) => /^verify\/src\/(\w+)\//.exec(path)?.[1] ?? '*'
  assert.ok(verifySources.length > 0)
  for (const source of verifySources) {
    const room = roomIn(source.path)
    const allowed = new Set([room, ...(verifyArrows[room] ?? [])])
    refuseImports(
      [source],
      (target) => !target.startsWith('node:') && !(target.startsWith('verify/src/') && allowed.has(roomIn(target))),
    )
  }
})

test('of the service only the verb verify imports verify: its program and its options', () => {
  const found = sources.flatMap(({ path, imports }) =>
    imports.filter((target) => target.startsWith('verify/')).map((target) => `${path} → ${target}`),
  )

  assert.deepEqual(found, [
    'src/cli/verify-verb.ts → verify/src/options.ts',
    'src/cli/verify-verb.ts → verify/src/program.ts',
  ])
})

test('only cli reads the environment', () => {
  const readers = outside('src/cli/').filter(({ text }) => /\bprocess\s*(\.|\[['"])\s*env\b/.test(text))

  assert.deepEqual(pathsOf(readers), [])
})

test('only cli writes to the console or ends the process', () => {
  const loud = outside('src/cli/').filter(({ text }) =>
    /\bconsole\.(?!ts')|\bprocess\.(stdout|stderr|exit|on)\b/.test(text),
  )

  assert.deepEqual(pathsOf(loud), [])
})

test('every connection to SQLite is opened by one function, which makes its statements read integers exactly', () => {
  const opening = sources.filter(({ text }) => text.includes('new DatabaseSync('))

  assert.deepEqual(pathsOf(opening), ['src/storage/sqlite/connection/database.ts'])
})

test('only contract and http know the HTTP status of an error', () => {
  const readers = sources.filter(({ text }) => /\berrorStatus\b/.test(text))

  assert.deepEqual(
    pathsOf(readers).filter((path) => !isIn(path, ['contract', 'http'])),
    [],
  )
})

test('few casts go around the compiler: what is read has its type where it is read, as rows of SQLite in prepareRows', () => {
  const casts = sources.flatMap(({ path, text }) => [...text.matchAll(/\bas (?:unknown|any) as\b/g)].map(() => path))

  assert.ok(casts.length < 15, `${casts.length} casts: ${casts.join(', ')}`)
})

test('no file has a default export', () => {
  const found = [...sources, ...clientSources, ...verifySources].filter(({ text }) =>
    /^export default\b|\bas default\b/m.test(text),
  )

  assert.deepEqual(pathsOf(found), [])
})

test('no file only re-exports', () => {
  const barrels = [...sources, ...verifySources].filter(
    ({ path, text }) => basename(path) === 'index.ts' || /^export .* from /m.test(text),
  )

  assert.deepEqual(pathsOf(barrels), [])
})

test('there are no import cycles, also not of types', () => refuseCircles([...sources, ...verifySources]))

function within(folder: string): Source[] {
  const found = sources.filter(({ path }) => path.startsWith(folder))
  assert.notEqual(found.length, 0, `nothing in ${folder}`)
  return found
}

function outside(folder: string): Source[] {
  return sources.filter(({ path }) => !path.startsWith(folder))
}

function isOurs(target: string): boolean {
  return target.startsWith('src/')
}

function isIn(target: string, rooms: readonly string[]): boolean {
  return rooms.some((room) => target.startsWith(`src/${room}/`))
}

/** The line of the table that a file belongs to. */
function roomOf(path: string): string {
  const name = path.slice('src/'.length)
  for (let room = name; room !== '.'; room = dirname(room)) if (room in arrows) return room
  return `${dirname(name)}/*`
}

/** Whether `name` stands for this room: by itself, or as the room around it. */
function isRoom(room: string, name: string): boolean {
  return room === name || room.startsWith(`${name}/`)
}
