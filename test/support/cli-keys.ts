import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { keyHash, newKeyId, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { prepareCounts } from '../../src/storage/sqlite/schema/counts.ts'
import { maintenanceWrites } from '../../src/storage/sqlite/writes/maintenance-writes.ts'
import { ruleWrites } from '../../src/storage/sqlite/rules/rule-writes.ts'
import { type Ran, run, type Service } from './service.ts'

export interface KeyOut {
  id: string
  name: string
  permission: string
  key: string
  createdAt: string
  expiresAt?: string
  revokedAt?: string
  state?: string
  replaces?: string
  replacedKeyExpiresAt?: string
}

export const hour = 60 * 60 * 1000

export async function create(t: TestContext, cwd: string, ...args: string[]): Promise<KeyOut> {
  const { code, stdout, stderr } = await run(t, ['keys', 'create', '--json', ...args], { cwd })
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as KeyOut
}

export function writesOf(db: DatabaseSync) {
  return { ...ruleWrites(db, prepareCounts(db)), ...maintenanceWrites(db) }
}

/** Puts a key into the database that the command line uses in a folder, and does to it what `more` does. */
export function seed(
  cwd: string,
  key: Partial<NewApiKey> = {},
  more: (writes: ReturnType<typeof writesOf>, id: string) => unknown = () => undefined,
): { id: string; secret: string } {
  const secret = newKeySecret('production')
  const id = newKeyId()
  const db = openForWriting(databaseOf(cwd))
  migrate(db, databaseOf(cwd))
  const writes = writesOf(db)
  writes.createKey({ id, name: 'till', permission: 'write', hash: keyHash(secret), createdAt: 0, ...key })
  more(writes, id)
  db.close()
  return { id, secret }
}

export function stored(cwd: string): Record<string, unknown>[] {
  const db = new DatabaseSync(databaseOf(cwd))
  try {
    return db.prepare('SELECT * FROM api_keys ORDER BY rowid').all()
  } finally {
    db.close()
  }
}

export function databaseOf(cwd: string): string {
  return join(cwd, 'data', 'petstore.db')
}

export async function passing(moment = ''): Promise<void> {
  await wait(Math.max(0, Date.parse(moment) - Date.now()) + 20)
}

export async function statusOf({ origin }: Service, key: string, body?: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/v1/pets`, body === undefined ? { headers } : { method: 'POST', body, headers })
  await answer.arrayBuffer()
  return answer.status
}

export function assertRefused({ code, stdout, stderr }: Ran, sentence: RegExp): void {
  assert.match(stderr, sentence)
  assert.deepEqual([code, stdout], [1, ''])
}
