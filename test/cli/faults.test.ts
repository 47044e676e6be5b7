import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { temporaryFolder } from '../support/engines.ts'
import { smallDisk } from '../support/small-disk.ts'
import { databaseIn, type Service, startService } from '../support/service.ts'

function client({ origin, key }: Service) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    create: (name: string) =>
      fetch(`${origin}/v1/pets`, { method: 'POST', headers, body: JSON.stringify({ name, categoryId: 1 }) }),
    list: (query = '') => fetch(`${origin}/v1/pets${query}`, { headers: { ...headers, prefer: 'count=exact' } }),
  }
}

test('a full disk: writes are 503, reads go on, and both work again once there is room, without a restart', async (t) => {
  const folder = smallDisk(t)
  if (folder === undefined) return
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(512 * 1024))
  const service = await startService(t, { env: { PETSTORE_DATABASE_URL: databaseIn(folder) } })
  const { create, list } = client(service)

  const acknowledged: number[] = []
  let refused: Response | undefined
  for (let count = 0; count < 5_000 && refused === undefined; count++) {
    const answer = await create(`${count} ${'x'.repeat(900)}`)
    if (answer.status === 201) acknowledged.push(((await answer.json()) as { id: number }).id)
    else refused = answer
  }
  assert.equal(refused?.status, 503)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(((await refused.json()) as { code: string }).code, 'unavailable')
  assert.equal((await list()).status, 200)

  rmSync(filler)

  assert.equal((await create('after')).status, 201)
  assert.equal((await list()).headers.get('x-total-count'), String(acknowledged.length + 1))
})

test('a write lock held by another process: reads go on, writes wait for it', async (t) => {
  const folder = temporaryFolder(t)
  const service = await startService(t, { env: { PETSTORE_DATABASE_URL: databaseIn(folder) } })
  const { create, list } = client(service)
  const other = new DatabaseSync(join(folder, 'petstore.db'))
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  let answered = false
  const write = create('Rex').finally(() => (answered = true))
  for (let count = 0; count < 20; count++) assert.equal((await list(`?limit=${count + 1}`)).status, 200)
  assert.equal(answered, false)
  other.exec('COMMIT')

  assert.equal((await write).status, 201)
})

test('a write lock that another process does not let go of: writes are 503, never 500, and reads go on', async (t) => {
  const folder = temporaryFolder(t)
  const service = await startService(t, { env: { PETSTORE_DATABASE_URL: databaseIn(folder) } })
  const { create, list } = client(service)
  const other = new DatabaseSync(join(folder, 'petstore.db'))
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  const answers = await Promise.all([create('Rex'), create('Tom'), create('Mia')])

  for (const answer of answers) {
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  assert.equal((await list()).headers.get('x-total-count'), '0')
  other.exec('ROLLBACK')
  assert.equal((await create('Rex')).status, 201)
})
