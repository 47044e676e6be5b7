import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exchange } from '../../src/http/exchange.ts'
import { type JournalEntry, openJournal } from '../../src/sandbox/journal.ts'
import { makeExchange } from '../support/exchange.ts'
import { startSandbox } from '../support/sandbox.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }

async function journalOf({ send }: Awaited<ReturnType<typeof startSandbox>>, query = ''): Promise<JournalEntry[]> {
  return (await send('a', `/sandbox/requests${query}`)).body as JournalEntry[]
}

test('the journal has what a client sent, in order, without secrets', async (t) => {
  const sandbox = await startSandbox(t)
  const { send } = sandbox
  const headers = { 'x-request-id': 'mine', cookie: 'session=secret', 'idempotency-key': 'k' }
  await send('a', 'POST /pets', rex, headers)
  await send('a', '/pets?key=pet_test_abcdefghij&limit=5')
  await send('a', 'POST /pets', [])
  await send('b', '/pets')

  const [create, list, refused, ...more] = await journalOf(sandbox)
  assert.equal(more.length, 0, 'other shops and the sandbox itself are not in it')
  assert.deepEqual(
    [create?.method, create?.path, create?.operation, create?.status, create?.requestId],
    ['POST', '/v1/pets', 'createPet', 201, 'mine'],
  )
  assert.deepEqual([create?.body, create?.bodyBytes], [JSON.stringify(rex), JSON.stringify(rex).length])
  assert.deepEqual(
    [create?.headers['authorization'], create?.headers['cookie'], create?.headers['idempotency-key']],
    ['…', '…', 'k'],
  )
  assert.equal(list?.path, '/v1/pets?key=pet_test_…&limit=5')
  assert.deepEqual([refused?.status, refused?.body], [400, '[]'])
  assert.ok([create, list, refused].every((entry) => Number.isSafeInteger(entry?.milliseconds)))
})

test('a test can demand exactly one create after two tries', async (t) => {
  const sandbox = await startSandbox(t)
  const key = { 'idempotency-key': 'one' }
  await assert.rejects(sandbox.send('a', 'POST /pets', rex, { ...key, prefer: 'fault=committed-then-cut' }))
  await sandbox.send('a', 'POST /pets', rex, key)

  const tries = await journalOf(sandbox, '?operation=createPet')
  assert.deepEqual(
    tries.map(({ status, fault }) => [status, fault]),
    [
      [undefined, 'committed-then-cut'],
      [201, undefined],
    ],
  )
  assert.equal(((await sandbox.send('a', '/pets')).body as unknown[]).length, 1)
})

test('the journal can be filtered and emptied, and a reset empties it', async (t) => {
  const sandbox = await startSandbox(t)
  const { send } = sandbox
  for (const start of ['/pets', '/pets/7', 'POST /pets']) await send('a', start)
  const ids = async (query: string) => (await journalOf(sandbox, query)).map(({ id }) => id)

  assert.deepEqual(await ids('?method=GET'), [1, 2])
  assert.deepEqual(await ids('?path=/v1/pets'), [1, 3])
  assert.deepEqual(await ids('?status=404'), [2])
  assert.deepEqual(await ids('?operation=getPet&after=1'), [2])
  assert.equal((await send('a', '/sandbox/requests?status=abc')).status, 400)
  await send('a', 'DELETE /sandbox/requests')
  assert.deepEqual(await ids(''), [])
  await send('a', '/pets')
  assert.deepEqual(await ids(''), [4])
  await send('a', 'POST /sandbox/reset')
  assert.deepEqual(await ids(''), [])
})

/** A request that the journal sees. */
function request(body?: string): Exchange {
  const exchange = makeExchange({ method: 'POST', url: '/v1/pets' })
  exchange.findings.body = body && Buffer.from(body)
  return exchange
}

test('the journal keeps the latest 1,000 requests, 8 KiB of a body and 2 MiB in all', () => {
  const journal = openJournal()
  for (let count = 0; count < 1_005; count++) journal.begin(request())
  const many = journal.list({})
  for (let count = 0; count < 300; count++) {
    const large = request('é'.repeat(20_000))
    journal.begin(large)
    journal.accepted(large)
  }
  const large = journal.list({})
  const bytes = large.reduce((sum, { body = '' }) => sum + Buffer.byteLength(body), 0)

  assert.deepEqual([many.length, many[0]?.id, many.at(-1)?.id], [1_000, 6, 1_005])
  assert.deepEqual([large.at(-1)?.id, large.at(-1)?.bodyBytes], [1_305, 40_000])
  assert.equal(large.at(-1)?.body, 'é'.repeat(4 * 1024))
  assert.ok(large.length < 300 && bytes > 1.8 * 1024 * 1024 && bytes < 2 * 1024 * 1024)
})
