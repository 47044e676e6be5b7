import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../../src/storage/open.ts'
import { skip, startDebianPostgres } from '../../support/debian-postgres.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { runSql } from '../../support/postgres-databases.ts'
import { ask, rex } from '../../support/running-service.ts'
import { main, startService } from '../../support/service.ts'
import { demandTls } from '../../support/tls-postgres.ts'

// Runs the commands that the pages about PostgreSQL show, with the two roles that they recommend, on a server that takes
// only encrypted connections and passwords.

const docs = join(import.meta.dirname, '../../../docs')

/** The blocks of a language in a part of a page, which begins with a heading. */
function blocksIn(page: string, heading: string, language: 'sh' | 'sql' | 'console'): string[] {
  const text = readFileSync(join(docs, page), 'utf8')
  const [part = ''] = text.slice(text.indexOf(heading)).split(/\n(?=## )/)
  assert.ok(part.startsWith(heading), `${page} has no ${heading}`)
  return [...part.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))].map(
    ([, , block = '']) => block,
  )
}

/** The first of these blocks that contains a word. */
function blockWith(word: string, ...where: Parameters<typeof blocksIn>): string {
  const block = blocksIn(...where).find((each) => each.includes(word))
  assert.ok(block !== undefined, `${where.join(' ')} has no block with ${word}`)
  return block
}

/** A server with the roles of postgresql.md, and a shell in which the commands of the pages work as they are. */
async function prepare(t: TestContext) {
  const cwd = temporaryFolder(t)
  chmodSync(cwd, 0o755)
  const tls = demandTls(join(cwd, 'tls'), ['postgres trust', 'all scram-sha-256'])
  const server = await startDebianPostgres(t, { settings: tls.settings })
  const address = `127.0.0.1:${server.port}`
  const urlOf = (user: string, database = 'petstore') => `postgres://${user}@${address}/${database}${tls.parameters}`

  copyFileSync(tls.authority, join(cwd, 'ca.pem'))
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin/petstore'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 })
  const passwords = { petstore_owner: 'OWNER_PASSWORD', petstore: 'PASSWORD', replicator: 'PASSWORD' }
  const lines = Object.entries(passwords).map(([user, password]) => `127.0.0.1:*:*:${user}:${password}\n`)
  writeFileSync(join(cwd, '.pgpass'), lines.join(''), { mode: 0o600 })
  const env = { PATH: `${join(cwd, 'bin')}:${server.bin}:${process.env['PATH']}`, HOME: cwd }

  /** Runs commands of a page, and fails with the first of them. */
  function shell(commands: string, more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
    const script = commands.replaceAll('db.example', address).replaceAll('/mnt/backups', join(cwd, 'backups'))
    const options = { cwd, env: { ...env, ...more }, timeout: 120_000 }
    return new Promise((resolve) => {
      execFile('bash', ['--norc', '-euo', 'pipefail', '-c', script], options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      )
    })
  }
  async function mustRun(commands: string, more?: Record<string, string>): Promise<string> {
    const { code, output } = await shell(commands, more)
    assert.equal(code, 0, `${commands}\n${output}`)
    return output
  }
  async function asAdministrator(database: string, sql: string): Promise<void> {
    writeFileSync(join(cwd, 'statements.sql'), sql)
    await mustRun(`psql --set=ON_ERROR_STOP=1 --file=statements.sql '${urlOf('postgres', database)}'`)
  }

  const [roles = '', grants = ''] = blocksIn('postgresql.md', '## Roles', 'sql')
  await asAdministrator('postgres', roles)
  await asAdministrator('petstore', grants)
  return { cwd, env, shell, mustRun, asAdministrator, urlOf, address, tls }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** The service of the page about roles. */
async function serve(t: TestContext, { mustRun, cwd, env }: Prepared) {
  const block = blockWith('petstore serve', 'postgresql.md', '## Roles', 'sh')
  const url = await mustRun(
    block.replace('petstore migrate', 'true').replace('petstore serve', 'printenv PETSTORE_DATABASE_URL'),
  )
  return startService(t, { cwd, env: { ...env, PETSTORE_DATABASE_URL: url.trim() } })
}

test('the commands for two roles make a shop that serves, and that no other role can open', { skip }, async (t) => {
  const prepared = await prepare(t)
  const { mustRun, asAdministrator, shell, urlOf } = prepared
  const block = blockWith('petstore migrate', 'postgresql.md', '## Roles', 'sh')

  const migrated = await mustRun(block.replace(/^.*petstore serve$/m, ''))
  const service = await serve(t, prepared)
  const created = await ask(service, '/v1/pets', { method: 'POST', body: rex })
  const [watch = ''] = blocksIn('postgresql.md', '## What to watch', 'sql')
  await asAdministrator('petstore', watch)
  await asAdministrator('postgres', "CREATE ROLE stranger LOGIN PASSWORD 'PASSWORD'")
  const stranger = await shell(`PGPASSWORD=PASSWORD psql '${urlOf('stranger')}' --command 'SELECT 1'`)
  const doctor = await shell('petstore doctor', { PETSTORE_DATABASE_URL: urlOf('petstore'), PETSTORE_PORT: '0' })

  assert.match(migrated, /is up to date: applied/)
  assert.equal(created.status, 201)
  assert.match(stranger.output, /permission denied for database "petstore"/)
  assert.match(doctor.output, /^ok +database/m)
  assert.equal(await service.stop(), 0)
})

test('the commands of the page about backups restore a shop, closed to other roles as before', { skip }, async (t) => {
  const prepared = await prepare(t)
  const { mustRun, asAdministrator, shell, urlOf, tls, address } = prepared
  await asAdministrator('postgres', "CREATE ROLE stranger LOGIN PASSWORD 'PASSWORD'")
  await mustRun('petstore migrate', { PETSTORE_DATABASE_URL: urlOf('petstore_owner') })
  const before = await serve(t, prepared)
  assert.equal((await ask(before, '/v1/pets', { method: 'POST', body: rex })).status, 201)

  await mustRun(blockWith('pg_dump', 'backup.md', '## Back up', 'sh'))
  assert.equal((await ask(before, '/v1/pets', { method: 'POST', body: rex })).status, 201)
  assert.equal(await before.stop(), 0)
  await mustRun(blockWith('pg_restore', 'backup.md', '## Restore', 'sh'))

  const env = { PETSTORE_DATABASE_URL: urlOf('petstore') }
  const checked = await mustRun('petstore check', env)
  await mustRun('petstore webhooks disable --all; petstore keys list', env)
  const after = await serve(t, prepared)
  const animals = await fetch(`${after.origin}/v1/pets`, { headers: { authorization: `Bearer ${before.key}` } })
  const created = await fetch(`${after.origin}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${before.key}`, 'content-type': 'application/json' },
    body: rex,
  })
  const stranger = await shell(`PGPASSWORD=PASSWORD psql '${urlOf('stranger')}' --command 'SELECT 1'`)
  const acl =
    "SELECT array_agg(acl::text ORDER BY acl::text) FROM pg_database, unnest(datacl) AS acl WHERE datname LIKE 'petstore%' GROUP BY datname"

  assert.match(checked, /no errors found/)
  assert.deepEqual([animals.status, ((await animals.json()) as unknown[]).length, created.status], [200, 1, 201])
  assert.match(stranger.output, /permission denied for database "petstore"/)
  const [kept, restored] = await runSql(`postgres://postgres@${address}/postgres${tls.parameters}`, acl)
  assert.deepEqual(restored, kept, 'the grants on the database differ')
  assert.equal(await after.stop(), 0)
})

test('the command for a base backup works with the role that the page names', { skip }, async (t) => {
  const { mustRun, asAdministrator, cwd } = await prepare(t)
  const page = readFileSync(join(docs, 'backup.md'), 'utf8')
  const [, role = ''] = /`(CREATE ROLE replicator [^`]+)`/.exec(page) ?? []
  mkdirSync(join(cwd, 'backups'))
  await asAdministrator('postgres', role)

  const output = await mustRun(blockWith('pg_basebackup', 'backup.md', '## Back up', 'sh'))

  assert.match(output, /backup successfully verified/)
})

test('the command of the page about moving data copies a shop to the owner, and the other role serves it', {
  skip,
}, async (t) => {
  const prepared = await prepare(t)
  const { cwd, mustRun } = prepared
  const storage = await openStorage(`sqlite:${join(cwd, 'data/petstore.db')}`, { environment: 'production' })
  await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  await storage.close()
  const shown = blockWith('petstore copy', 'moving-data.md', '## Copy to another database', 'console')
  const [, command = ''] = /^ *\$ (.*?[^\\])\n/s.exec(shown) ?? []

  const copied = await mustRun(command)
  const service = await serve(t, prepared)
  const animals = (await (await ask(service)).json()) as { name: string }[]

  assert.match(copied, /both databases are equal/)
  assert.deepEqual(
    animals.map(({ name }) => name),
    ['Rex'],
  )
  assert.equal(await service.stop(), 0)
})

test('the steps of the page about upgrades work with the two roles', { skip }, async (t) => {
  const { mustRun, shell, urlOf } = await prepare(t)
  const text = readFileSync(join(docs, 'upgrading.md'), 'utf8')
  const [part = ''] = text.slice(text.indexOf('## PostgreSQL')).split(/\n(?=## )/)
  const steps = [...part.matchAll(/^\d\. .*?`(petstore [^`]+)`/gm)].map(([, command = '']) => command)

  assert.deepEqual(steps, ['petstore migrate', 'petstore check'])
  const refused = await shell('petstore migrate', { PETSTORE_DATABASE_URL: urlOf('petstore') })
  assert.match(refused.output, /run petstore migrate as the owner of its tables/)
  for (const step of steps) await mustRun(step, { PETSTORE_DATABASE_URL: urlOf('petstore_owner') })
})
