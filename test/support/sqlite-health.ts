import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { type OpenOptions, openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from './engines.ts'

export const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
export const unavailable = { code: 'unavailable' }
export const unknownOutcome = { code: 'unavailable', message: /^It is unknown whether the change was stored/ }
export const notStored = { code: 'unavailable', message: /^Nothing can be written right now/ }

export async function opened(t: TestContext, options: OpenOptions = {}) {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  return openedAt(t, join(folder, 'petstore.db'), options)
}

/** The engine on a file, and what it reported. */
export async function openedAt(t: TestContext, path: string, options: OpenOptions = {}) {
  const reports: (string | undefined)[] = []
  const storage = await openStorage(`sqlite:${path}`, { ...options, report: (problem) => reports.push(problem) })
  t.after(() => storage.close())
  return { storage, path, reports }
}

export function openRaw(t: TestContext, path: string): DatabaseSync {
  const raw = new DatabaseSync(path)
  t.after(() => raw.isOpen && raw.close())
  return raw
}
