import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { encodeOrder } from '../../src/contract/order.ts'
import { openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/engines.ts'
import { databaseIn, run } from '../support/service.ts'

const time = '2027-01-01T00:00:00.000Z'
const header = 'id,petId,status,placedAt,updatedAt,customer,note'

test('export-orders writes NDJSON as the service answers it', async (t) => {
  const shop = await shopWithOrders(t)
  const { orders, close } = await openStorage(databaseIn(shop.cwd))
  const { items } = await orders.list({}, 100, 0n)
  await close()

  const { code, stdout, stderr } = await run(t, ['export-orders'], shop)

  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(items.length, 3)
  assert.equal(stdout, items.map((order) => `${encodeOrder(order)}\n`).join(''))
})

test('export-orders FILE writes CSV with a header, ascending by id, and says how many orders it has', async (t) => {
  const shop = await shopWithOrders(t)

  const { code, stdout, stderr } = await run(t, ['export-orders', 'orders.csv'], shop)

  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Exported 3 orders from sqlite:\S+ to orders\.csv in [\d.]+ s\.\n$/)
  assert.equal(
    readFileSync(join(shop.cwd, 'orders.csv'), 'utf8'),
    `${header}\n` +
      `1,1,placed,${time},${time},"Ada ""L"", Lovelace","a\nb;c"\n` +
      `2,2,completed,${time},${time},,\n` +
      `3,3,placed,${time},${time},Bob,\n`,
  )
})

test('export-orders writes only the orders that match its filters', async (t) => {
  const shop = await shopWithOrders(t)
  const ids = async (...args: string[]) =>
    (await run(t, ['export-orders', ...args], shop)).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { id: number }).id)

  assert.deepEqual(await ids('--status', 'placed'), [1, 3])
  assert.deepEqual(await ids('--animal', '2'), [2])
  assert.deepEqual(await ids('--customer', 'ADA', '--status', 'placed'), [1])
})

test('export-orders refuses a filter that is wrong in one sentence', async (t) => {
  const shop = await shopWithOrders(t)
  const refusal = async (...args: string[]) => {
    const { code, stderr } = await run(t, ['export-orders', ...args], shop)
    assert.equal(code, 1)
    return stderr
  }

  assert.equal(await refusal('--status', 'sold'), 'petstore: --status must be one of placed, completed, cancelled.\n')
  assert.match(await refusal('--animal', 'Rex'), /^petstore: --animal must be an integer[^\n]*\.\n$/)
  assert.match(await refusal('--customer', '+'), /^petstore: [^\n]*customer[^\n]*\.\n$/)
})

test('export-orders --spreadsheet writes a byte order mark and the separator', async (t) => {
  const shop = await shopWithOrders(t)

  await run(t, ['export-orders', 'a.csv', '--spreadsheet', '--separator', 'semicolon', '--animal', '1'], shop)
  const ndjson = await run(t, ['export-orders', '--separator', 'tab'], shop)

  assert.equal(
    readFileSync(join(shop.cwd, 'a.csv'), 'utf8'),
    `\ufeff${header.replaceAll(',', ';')}\n1;1;placed;${time};${time};"Ada ""L"", Lovelace";"a\nb;c"\n`,
  )
  assert.equal(ndjson.stderr, 'petstore: --spreadsheet and --separator are for CSV: add --format csv.\n')
})

test('export-orders does not replace a file by one without orders', async (t) => {
  const shop = await shopWithOrders(t)
  writeFileSync(join(shop.cwd, 'orders.csv'), 'old')

  const { code, stderr } = await run(t, ['export-orders', 'orders.csv', '--status', 'cancelled'], shop)

  assert.equal(code, 1)
  assert.match(
    stderr,
    /^petstore: There are no such orders in sqlite:\S+: orders\.csv is left as it is\. Remove it first\.\n$/,
  )
  assert.equal(readFileSync(join(shop.cwd, 'orders.csv'), 'utf8'), 'old')
})

/** A folder with three orders: an open one with awkward texts, a completed one, an open one. */
async function shopWithOrders(t: TestContext): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = temporaryFolder(t)
  const url = databaseIn(cwd)
  const { pets, orders, close } = await openStorage(url, { clock: () => Date.parse(time) })
  for (const name of ['Rex', 'Tom', 'Mia']) await pets.create({ name, categoryId: 1n, status: 'available' })
  await orders.place({ petId: 1n, customer: 'Ada "L", Lovelace', note: 'a\nb;c' })
  await orders.place({ petId: 2n })
  await orders.update(2n, { status: 'completed' })
  await orders.place({ petId: 3n, customer: 'Bob' })
  await close()
  return { cwd, env: { PETSTORE_DATABASE_URL: url } }
}
