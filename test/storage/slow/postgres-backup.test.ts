import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backupStorage } from '../../../src/storage/backup.ts'
import { checkStorage } from '../../../src/storage/check/check.ts'
import { restoreStorage } from '../../../src/storage/restore.ts'
import { startAppOn } from '../../support/app.ts'
import { fillShop } from '../../support/awkward-shop.ts'
import { skip, startDebianPostgres } from '../../support/debian-postgres.ts'
import { assertError } from '../../support/error.ts'
import { type EventStream, followEvents } from '../../support/event-stream.ts'
import { runSql } from '../../support/postgres-databases.ts'

type Server = Awaited<ReturnType<typeof startDebianPostgres>>

interface Way {
  backUp(server: Server, url: string): Promise<void>
  /** Destroys the shop and restores the backup. */
  restore(server: Server, url: string): Promise<void>
}

const dump: Way = {
  async backUp(server, url) {
    server.run(...(await commandIn(backupStorage(url, dumpIn(server)))))
  },
  async restore(server, url) {
    await runSql(server.urlOf('postgres'), 'DROP DATABASE shop WITH (FORCE)')
    await runSql(server.urlOf('postgres'), 'CREATE DATABASE shop')
    const options = { environment: 'production', overwrite: true } as const
    server.run(...(await commandIn(restoreStorage(url, dumpIn(server), options))))
  },
}

const baseBackup: Way = {
  async backUp(server, url) {
    server.run('pg_basebackup', `--dbname=${url}`, `--pgdata=${join(server.backups, 'base')}`, '--checkpoint=fast')
    server.run('pg_verifybackup', join(server.backups, 'base'))
  },
  restore: (server) => server.replaceData(join(server.backups, 'base')),
}

for (const [tool, way] of Object.entries({ pg_dump: dump, pg_basebackup: baseBackup })) {
  test(`${tool}: a restored shop passes the check, and positions from after the backup are gone`, {
    skip,
  }, async (t) => {
    const server = await startDebianPostgres(t)
    const url = server.urlOf('shop')
    await runSql(server.urlOf('postgres'), 'CREATE DATABASE shop')
    await fillShop(url)
    const service = await serving(t, url)
    const follower = await followEvents(t, service)
    await service.create({ name: 'before', categoryId: 1 })
    await follower.until(() => follower.events.length === 1)
    const kept = positionOf(follower)
    const animals = await pets(service)

    await way.backUp(server, url)
    await service.create({ name: 'after', categoryId: 1 })
    await follower.until(() => follower.events.length === 2)
    const lost = positionOf(follower)
    // What a reader of pages has: that of the last one.
    const listed = (await service.send(`/v1/events?after=${kept}`)).headers.get('event-position') ?? ''
    await service.end()
    await way.restore(server, url)

    const restored = await serving(t, url)
    assert.equal(await pets(restored), animals)
    assert.equal((await restored.send(`/v1/events?after=${kept}`)).status, 200)
    await restored.create({ name: 'instead', categoryId: 1 })
    for (const position of [lost, listed]) assertError(await restored.send(`/v1/events?after=${position}`), 'gone')
    const headers = { accept: 'text/event-stream', 'last-event-id': lost }
    assertError(await restored.send('/v1/events', { headers }), 'gone')
    const results = await Array.fromAsync(checkStorage(url, 'production'))
    assert.deepEqual(
      results.filter(({ result }) => result === 'wrong'),
      [],
    )
    await restored.end()
  })
}

/** A service that ends before the test does, and takes its connections with it. */
async function serving(t: TestContext, url: string) {
  const ends: (() => unknown)[] = []
  const app = await startAppOn({ after: (end: () => unknown) => ends.unshift(end) } as unknown as TestContext, url)
  let hasEnded = false
  async function end(): Promise<void> {
    if (hasEnded) return
    hasEnded = true
    for (const each of ends) await each()
  }
  t.after(end)
  return { ...app, end }
}

async function pets({ send }: Awaited<ReturnType<typeof serving>>): Promise<string> {
  return (await send('/v1/pets?limit=100')).text
}

/** The position of a follower. */
function positionOf(follower: EventStream): string {
  return (
    follower
      .text()
      .match(/(?<=^id: ).*$/gm)
      ?.at(-1) ?? ''
  )
}

function dumpIn({ backups }: Server): string {
  return join(backups, 'petstore.dump')
}

/** The command that a refusal names: the documented way. */
async function commandIn(refused: Promise<unknown>): Promise<[string, ...string[]]> {
  const { message } = await refused.then(
    () => assert.fail('was not refused'),
    (error: Error) => error,
  )
  const [command = ''] = /pg_(?:dump|restore) .*(?=\.$)/.exec(message) ?? []
  return command.replaceAll("'", '').split(' ') as [string, ...string[]]
}
