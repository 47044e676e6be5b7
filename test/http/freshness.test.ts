import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { petTable } from '../../src/storage/sqlite/schema/counts.ts'
import { rawRequest, startApp, type TestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/engines.ts'
import { until } from '../support/until.ts'

/** Once `renamed` is set: after the next version check, another connection renames Rex to Max, and it is called. */
async function openShop(t: TestContext) {
  const path = `${temporaryFolder(t)}/pets.db`
  const storage = await openSqlite(path, { clock: Date.now })
  t.after(() => storage.close())
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  const shop = { renamed: undefined as (() => void) | undefined }
  const version = storage.version
  storage.version = () => {
    const { renamed } = shop
    const now = version()
    if (renamed === undefined) return now
    shop.renamed = undefined
    other.prepare(`UPDATE ${petTable} SET name = 'Max' WHERE id = 1`).run()
    renamed()
    return now
  }
  return { app: await startApp(t, { storage }), shop }
}

const headersOf = ({ key }: TestApp) => ['Host: shop.example', `Authorization: Bearer ${key}`]
const get = (app: TestApp) => rawRequest('GET /v1/pets/1', headersOf(app))

async function open(t: TestContext, { origin }: TestApp) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    .setEncoding('utf8')
    .setNoDelay()
  t.after(() => socket.destroy())
  let received = ''
  socket.on('data', (text: string) => (received += text))
  await once(socket, 'connect')
  return { socket, received: () => received }
}

for (const [start, headers] of [
  ['POST /v1/pets', ['Content-Type: text/plain']],
  ['GET /v1/pets?limit=1', []],
] as const) {
  test(`a request that arrives with the end of the body of ${start} is not stale`, async (t) => {
    const { app, shop } = await openShop(t)
    const [first, second] = [await open(t, app), await open(t, app)]
    const withBody = rawRequest(start, [...headersOf(app), ...headers], 'a body')
    second.socket.write(withBody.slice(0, -1))
    await until(() => /\r\n\r\n./.test(second.received()))

    shop.renamed = () => second.socket.write(get(app))
    first.socket.write(get(app))
    second.socket.write(withBody.slice(-1))

    await until(() => second.received().includes('successor-version'))
    assert.match(first.received(), /"Rex"/)
    assert.match(second.received(), /"Max"/)
  })
}
