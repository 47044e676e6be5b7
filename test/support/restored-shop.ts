import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fillShop } from './awkward-shop.ts'
import { temporaryFolder } from './engines.ts'
import { type Ran, run, type Service } from './service.ts'

export const key = 'a-key-that-outlives-the-restore'
export const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'silent', PETSTORE_DATABASE_URL: 'sqlite:petstore.db' }

export function restore(t: TestContext, cwd: string, file = 'backup.db', ...options: string[]): Promise<Ran> {
  return run(t, ['restore', file, ...options], { cwd, env })
}

export function assertRefused({ code, stdout, stderr }: Ran, sentence: RegExp): void {
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, sentence)
}

export async function shopAndBackup(t: TestContext): Promise<string> {
  const cwd = temporaryFolder(t)
  await fillShop(`sqlite:${join(cwd, 'petstore.db')}`)
  copyFileSync(join(cwd, 'petstore.db'), join(cwd, 'backup.db'))
  return cwd
}

/** Names and contents. */
export function filesIn(folder: string): [string, string][] {
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')])
}

/** Adds animals and orders every fourth. */
export async function load(service: Service, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { id } = (await post(service, '/v1/pets', {
        name: `pet ${index}`,
        categoryId: 1,
        status: 'available',
      })) as {
        id: number
      }
      if (index % 4 === 0) await post(service, '/v1/store/orders', { petId: id })
    }),
  )
}

async function post({ origin }: Service, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(response.status, 201)
  return response.json()
}
