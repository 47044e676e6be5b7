import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PetStatus } from '../../src/contract/pet.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type Answer, readAnswers, startApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'

const statuses: readonly PetStatus[] = ['available', 'pending', 'sold']

test('a commit after a page was read does not change its exact count', async (t) => {
  const { send, storage } = await startApp(t, { engine: sqlite })
  const { list } = storage.pets
  storage.pets.list = async (...input) => {
    const page = await list(...input)
    await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'sold' })
    return page
  }

  for (const path of ['/v1/pets', '/v1/pets?status=sold', '/v1/pets?categoryId=1&sort=-id', '/v1/pets?id=4']) {
    const answer = await send(path, { headers: { prefer: 'count=exact' } })
    assert.equal(answer.headers.get('x-total-count'), String(idsOf(answer).length), path)
  }
})

test('Prefer: count=exact adds the number of matching animals', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 30)
  const totals: Record<string, number> = {
    '': 30,
    'limit=1': 30,
    'limit=100': 30,
    'status=sold': 7,
    'status=available&limit=2': 8,
    'categoryId=2': 10,
    'categoryId=2&status=sold&limit=1': 3,
    'categoryId=99': 0,
    'without=status&limit=1': 7,
    'categoryId=2&without=status': 2,
    'id=5': 1,
    'id=31': 0,
    'id=5&status=sold': 0,
  }

  for (const [query, total] of Object.entries(totals)) {
    await t.test(`?${query}`, async () => {
      const answer = await send(`/v1/pets?${query}`, { headers: { prefer: 'count=exact' } })

      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('x-total-count'), String(total))
      assert.equal(answer.headers.get('preference-applied'), 'count=exact')
    })
  }
})

test('the exact count is the same on every page', async (t) => {
  const { send, storage, origin } = await startApp(t)
  await addAnimals(storage, 5)

  const first = await send('/v1/pets?limit=2', { headers: { prefer: 'count=exact' } })
  const next = /<(.+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await send(next.slice(origin.length), { headers: { prefer: 'count=exact' } })

  assert.deepEqual(idsOf(second), [3, 4])
  assert.equal(second.headers.get('x-total-count'), '5')
})

test('the exact count includes new animals', async (t) => {
  const { send, create } = await startApp(t)

  for (const total of ['0', '1', '2']) {
    const answer = await send('/v1/pets', { headers: { prefer: 'count=exact' } })
    assert.equal(answer.headers.get('x-total-count'), total)
    await create({ name: 'Rex', categoryId: 1 })
  }
})

test('Prefer is read as a list of preferences', async (t) => {
  const { send } = await startApp(t)
  const values = [
    'count=exact',
    'Count=exact',
    'count="exact"',
    'count = exact',
    'return=minimal, count=exact',
    'count=exact, return=minimal',
    'respond-async,count=exact,wait=5',
    'count=exact; strict',
  ]

  for (const prefer of values) {
    await t.test(prefer, async () => {
      const answer = await send('/v1/pets', { headers: { prefer } })

      assert.equal(answer.headers.get('x-total-count'), '0')
    })
  }
})

test('Prefer may be repeated', async (t) => {
  const { sendRaw, key } = await startApp(t)

  const [answer] = readAnswers(
    await sendRaw(
      `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n` +
        'Prefer: return=minimal\r\nPrefer: count=exact\r\n\r\n',
    ),
  )

  assert.equal(answer?.headers.get('x-total-count'), '0')
})

test('other preferences, or none, add no count', async (t) => {
  const { send } = await startApp(t)

  for (const prefer of [undefined, '', 'count', 'exact', 'count=estimated', 'count=exactly', 'discount=exact', ',;=']) {
    await t.test(`Prefer: ${prefer}`, async () => {
      const answer = await send('/v1/pets', prefer === undefined ? {} : { headers: { prefer } })

      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('x-total-count'), null)
      assert.equal(answer.headers.get('preference-applied'), null)
    })
  }
})

/** Animals 1, 2, 3, …: of categories 0, 1, 2 in turn, and available, pending, sold, without a status in turn. */
async function addAnimals(storage: Storage, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const status = statuses[index % 4]
    await storage.pets.create({ name: `animal ${index}`, categoryId: BigInt(index % 3), ...(status && { status }) })
  }
}

function idsOf(answer: Answer): number[] {
  return (answer.body as { id: number }[]).map(({ id }) => id)
}
