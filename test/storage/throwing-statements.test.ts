import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Creation } from '../../src/inventory/pets.ts'
import type { CreatePet } from '../../src/inventory/rules/create-pet.ts'
import type { PlaceOrder } from '../../src/inventory/rules/place-order.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { Session } from '../../src/storage/postgres/connection/database.ts'
import type { BoundStatement } from '../../src/storage/postgres/connection/statement.ts'
import {
  openReconnectingSession,
  type ReconnectingSession,
} from '../../src/storage/postgres/connection/reconnecting-session.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { openLineages } from '../../src/storage/postgres/writes/begin-lineage.ts'
import { postgresWriter, writerSettings } from '../../src/storage/postgres/writes/writer.ts'
import { configureForWriting, connect } from '../../src/storage/sqlite/connection/database.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { inlineCommitter } from '../../src/storage/sqlite/writes/commit-targets.ts'
import { sqliteWriter } from '../../src/storage/sqlite/writes/writer.ts'
import { postgres } from '../support/engines.ts'

// Throws at each statement of a transaction in turn, until none is left.

const at = Date.parse('2026-01-05T09:00:00Z')
const available = (name: string) => ({ name, categoryId: 1n, status: 'available' as const })

interface Tried {
  createPet(input: CreatePet): Promise<Creation>
  placeOrder(input: PlaceOrder): Promise<unknown>
  /** The statement with this number throws next, once. Returns whether it did. */
  throwAt(number: number): () => boolean
  petsNamed(name: string): Promise<number>
}

/** Each write is stored once if it resolved, and not at all if it rejected, and the next ones are not disturbed. */
async function assertEachThrowIsRolledBack(tried: Tried): Promise<number> {
  for (let number = 1; ; number++) {
    const name = `pet ${number}`
    const ordered = await tried.createPet({ pet: available('ordered'), at })
    assert.ok(ordered.outcome === 'created')
    const hasThrown = tried.throwAt(number)

    const [created] = await Promise.allSettled([
      tried.createPet({
        pet: available(name),
        at,
        idempotencyKey: { keyId: 'key', name, fingerprint: name },
      }),
      tried.placeOrder({ order: { petId: ordered.pet.id }, at }),
    ])

    const isThrown = hasThrown()
    const isUnknown =
      created.status === 'rejected' && created.reason instanceof PetStoreError && created.reason.mayHaveSucceeded
    const stored = await tried.petsNamed(name)
    if (isUnknown) assert.ok(stored <= 1, `statement ${number}`)
    else assert.equal(stored, created.status === 'fulfilled' ? 1 : 0, `statement ${number}`)
    await tried.createPet({ pet: available('afterwards'), at })
    if (!isThrown) return number - 1
  }
}

for (const when of ['before', 'after'] as const) {
  test(`sqlite: an exception ${when} any statement of a transaction rolls it back`, async () => {
    const db = connect(':memory:', { timeout: 0 })
    configureForWriting(db, ':memory:')
    migrate(db, ':memory:')
    const throwAt = throwIn(db, when)
    const writer = sqliteWriter(inlineCommitter(db))

    const statements = await assertEachThrowIsRolledBack({
      createPet: (input) => writer.write('createPet', input),
      placeOrder: (input) => writer.write('placeOrder', input),
      throwAt,
      petsNamed: async (name) =>
        Number(
          DatabaseSync.prototype.prepare.call(db, 'SELECT count(*) AS n FROM pets WHERE name = ?').get(name)?.['n'],
        ),
    })

    assert.ok(statements > 15, `${statements}`)
    assert.equal(db.isTransaction, false)
    db.close()
  })
}

/** Every statement of the connection is counted, BEGIN, COMMIT and ROLLBACK too. */
function throwIn(db: DatabaseSync, when: 'before' | 'after'): Tried['throwAt'] {
  let left = 0
  function counted<Result>(run: () => Result): Result {
    const isIt = left > 0 && --left === 0
    if (isIt && when === 'before') throw new Error('thrown before')
    const result = run()
    if (isIt) throw new Error('thrown after')
    return result
  }
  const { exec, prepare } = DatabaseSync.prototype
  db.exec = (sql) => counted(() => exec.call(db, sql))
  db.prepare = (sql: string) => {
    const statement = prepare.call(db, sql)
    for (const method of ['run', 'get', 'all'] as const) {
      const original = statement[method].bind(statement) as (...values: unknown[]) => unknown
      Object.assign(statement, { [method]: (...values: unknown[]) => counted(() => original(...values)) })
    }
    return statement
  }
  return (number) => {
    left = number
    return () => {
      const hasThrown = left === 0
      left = 0
      return hasThrown
    }
  }
}

for (const [what, broken] of [
  ['that the server refuses', [{ text: 'SELECT 1 / 0' }]],
  ['that cannot be sent', [{ text: 'SELECT $1' }, [{ isNoValue: true }]]],
] as const) {
  test(`postgres: a statement ${what} rolls its transaction back, at any place`, async (t) => {
    const url = await postgres.url(t)
    const storage = await openStorage(url)
    t.after(() => storage.close())
    const server = readServer(url)
    const link = openReconnectingSession(server, { timeoutMs: 60_000, settings: writerSettings })
    const lineages = await openLineages(await link.connect(), server)
    const { failing, throwAt } = throwOn(link, broken)
    const writer = postgresWriter(failing, lineages, 60_000)
    t.after(() => writer.close())

    const statements = await assertEachThrowIsRolledBack({
      createPet: (input) => writer.write('createPet', input),
      placeOrder: (input) => writer.write('placeOrder', input),
      throwAt,
      petsNamed: async (name) => (await storage.pets.list({ name }, 2, 0n)).items.length,
    })

    assert.ok(statements > 8, `${statements}`)
  })
}

/** A link whose sessions replace the statement with a number by a broken one, once. */
function throwOn(link: ReconnectingSession, broken: BoundStatement) {
  let left = 0
  const counted = (statements: readonly BoundStatement[]) =>
    statements.map((statement) => (left > 0 && --left === 0 ? broken : statement))
  const wrapped = new WeakMap<Session, Session>()
  function wrap(session: Session): Session {
    const known = wrapped.get(session)
    if (known !== undefined) return known
    const failing: Session = Object.create(session, {
      runAll: {
        value: (statements: readonly BoundStatement[], next?: Parameters<Session['runAll']>[1]) =>
          session.runAll(counted(statements), next && ((results) => counted(next(results)))),
      },
    }) as Session
    wrapped.set(session, failing)
    return failing
  }
  const failing: ReconnectingSession = Object.create(link, {
    use: { value: (work: (session: Session) => never, ms?: number) => link.use((session) => work(wrap(session)), ms) },
  }) as ReconnectingSession
  const throwAt: Tried['throwAt'] = (number) => {
    left = number
    return () => {
      const hasThrown = left === 0
      left = 0
      return hasThrown
    }
  }
  return { failing, throwAt }
}
