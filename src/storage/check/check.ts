import type { Environment } from '../../contract/environment.ts'
import { StorageError } from '../shared/errors.ts'
import { readDatabaseUrl } from '../shared/url.ts'
import type { CheckedDatabase } from '../shared/checked-database.ts'
import { type Check, checks } from './checks.ts'

export interface CheckResult {
  name: string
  result: 'ok' | 'wrong' | 'skipped'
  /** The rule if it holds, the faults, or the reason why it was not checked: one sentence each. */
  sentences: string[]
  /** Whether there are more faults than sentences. */
  more: boolean
}

/** Faults reported per check. The first ones show what is wrong. */
const maxSentences = 10

/** Checks a snapshot of a database while others use it. Changes nothing. */
export async function* checkStorage(url: string, environment: Environment): AsyncGenerator<CheckResult> {
  const db = await openChecked(url, environment)
  try {
    yield await checkIntegrity(db)
    for (const check of checks) yield await run(check, db)
  } finally {
    await db.close()
  }
}

async function checkIntegrity(db: CheckedDatabase): Promise<CheckResult> {
  const name = 'integrity'
  const integrity = await db.integrity()
  if ('skipped' in integrity) return { name, result: 'skipped', sentences: [integrity.skipped], more: false }
  return resultOf(name, 'The database finds no damage in its files.', integrity.found)
}

async function run({ name, promise, find }: Check, db: CheckedDatabase): Promise<CheckResult> {
  const found: string[] = []
  try {
    for await (const sentence of find(db)) {
      found.push(sentence)
      if (found.length > maxSentences) break
    }
  } catch (error) {
    // Damage interrupts a check and is itself a fault.
    found.push(`The check could not be completed: ${(error as Error).message}.`)
  }
  return resultOf(name, promise, found)
}

function resultOf(name: string, promise: string, found: readonly string[]): CheckResult {
  if (found.length === 0) return { name, result: 'ok', sentences: [promise], more: false }
  const more = found.length > maxSentences
  return { name, result: 'wrong', sentences: found.slice(0, maxSentences), more }
}

// Loads an engine only when it is used.
async function openChecked(url: string, environment: Environment): Promise<CheckedDatabase> {
  const database = readDatabaseUrl(url)
  if (database.engine === 'postgres') {
    return (await import('../postgres/upkeep/checked-database.ts')).openChecked(database.url, environment)
  }
  if (database.path === ':memory:') {
    throw new StorageError('An in-memory database cannot be checked: use a file.')
  }
  return (await import('../sqlite/upkeep/checked-database.ts')).openChecked(database.path, environment)
}
