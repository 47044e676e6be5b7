import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportReplies } from '../../src/http/routes/export-reply.ts'
import type { ApiKey, Keys } from '../../src/inventory/keys.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { makeExchange, makeResponse } from '../support/exchange.ts'

const now = Date.parse('2027-01-01T00:00:00Z')
const time = new Date(now).toISOString()

/** Three orders: an open one with awkward texts, a completed one, an open one. */
async function placeOrders({ storage }: TestApp): Promise<void> {
  for (const name of ['Rex', 'Tom', 'Mia']) await storage.pets.create({ name, categoryId: 1n, status: 'available' })
  await storage.orders.place({ petId: 1n, customer: 'Ada "L", Lovelace', note: 'a\nb;c' })
  await storage.orders.place({ petId: 2n })
  await storage.orders.update(2n, { status: 'completed' })
  await storage.orders.place({ petId: 3n, customer: 'Bob' })
}

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: exportOrders has all orders, ascending by id, as CSV and as NDJSON`, async (t) => {
    const app = await startApp(t, { engine, clock: () => now })
    await placeOrders(app)

    const csv = await app.send('/v1/store/orders/export')
    const ndjson = await app.send('/v1/store/orders/export?format=ndjson')

    assert.equal(
      csv.text,
      'id,petId,status,placedAt,updatedAt,customer,note\n' +
        `1,1,placed,${time},${time},"Ada ""L"", Lovelace","a\nb;c"\n` +
        `2,2,completed,${time},${time},,\n` +
        `3,3,placed,${time},${time},Bob,\n`,
    )
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="orders.csv"')
    assert.deepEqual(
      ndjson.text
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line)),
      (await app.send('/v1/store/orders')).body,
    )
    assert.equal(ndjson.headers.get('content-type'), 'application/x-ndjson')
  })
}

test('an export of orders has the filters of the list', async (t) => {
  const app = await startApp(t)
  await placeOrders(app)
  const idsOf = async (query: string) =>
    (await app.send(`/v1/store/orders/export?format=ndjson&${query}`)).text
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { id: number }).id)

  assert.deepEqual(await idsOf('status=placed'), [1, 3])
  assert.deepEqual(await idsOf('petId=2'), [2])
  assert.deepEqual(await idsOf('customer=ADA'), [1])
  assertError(await app.send('/v1/store/orders/export?customer=%2B'), 'invalid_parameter')
})

test('an export of orders for a spreadsheet has a byte order mark and the separator that is asked for', async (t) => {
  const app = await startApp(t)
  const headers = { authorization: `Bearer ${app.key}` }

  const answer = await fetch(`${app.origin}/v1/store/orders/export?spreadsheet=true&separator=tab`, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())

  assert.equal(bytes.toString(), '\ufeffid\tpetId\tstatus\tplacedAt\tupdatedAt\tcustomer\tnote\n')
  assertError(await app.send('/v1/store/orders/export?format=ndjson&separator=tab'), 'invalid_parameter')
})

test('an export of orders ends with a line of its own on request, and has only its own methods', async (t) => {
  const app = await startApp(t)

  const { text } = await app.send('/v1/store/orders/export?format=ndjson', { headers: { prefer: 'export-end' } })
  const refused = await app.send('/v1/store/orders/export', { method: 'PATCH' })

  assert.equal(text, '{"end":{"bytes":0}}\n')
  assertError(refused, 'method_not_allowed')
  assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS')
})

test('an export that finds nothing ends when its client has left', async () => {
  const keys = { findByIds: async () => [] } as unknown as Keys
  const exportReply = exportReplies({ keys, clock: () => now, failed: () => undefined })
  const outgoing = makeResponse()
  const exchange = makeExchange({ outgoing })
  exchange.findings.key = { id: 'key_a' } as ApiKey
  let pages = 0
  async function* nothing() {
    for (; pages < 10; pages++) {
      if (pages === 3) outgoing.emit('close')
      yield { text: '', count: 0 }
    }
  }

  const reply = exportReply(exchange, 'orders', 'ndjson', nothing)

  await assert.rejects(reply, /connection ended/)
  assert.equal(pages, 3)
})
