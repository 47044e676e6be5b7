import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PetStatus } from '../../src/contract/pet.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const statuses: readonly PetStatus[] = ['available', 'pending', 'sold']

test('listPets returns an empty array for an empty shop', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '[]')
})

test('HEAD of the list has the headers of GET and no body', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 25)

  const got = await send('/v1/pets')
  const answer = await send('/v1/pets', { method: 'HEAD' })

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '')
  for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control', 'vary']) {
    assert.equal(answer.headers.get(name), got.headers.get(name), name)
  }
})

test('listPets returns at most limit animals', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 101)

  for (const limit of [1, 2, 19, 20, 21, 99, 100]) {
    await t.test(`limit=${limit}`, async () => {
      const answer = await send(`/v1/pets?limit=${limit}`)

      assert.equal(answer.status, 200)
      assert.deepEqual(idsOf(answer), idsUpTo(limit))
    })
  }
})

test('listPets refuses a limit that is not plain decimal digits from 1 to 100', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 1)
  const limits = {
    zero: '0',
    'one too many': '101',
    negative: '-1',
    'negative zero': '-0',
    letters: 'abc',
    empty: '',
    fraction: '1.0',
    exponent: '1e1',
    'plus sign, which is a space in a query': '+5',
    'encoded plus sign': '%2B5',
    'leading space': '%205',
    'trailing space': '5%20',
    'trailing line end': '5%0A',
    hexadecimal: '0x10',
    'leading zeros': '007',
    'a leading zero': '020',
    huge: '99999999999999999999',
    'beyond every number': '9'.repeat(400),
    'comma list': '1,2',
    'digits of another script': '%D9%A5',
    'full-width digit': '%EF%BC%95',
    'thousands separator': '1_0',
    null: 'null',
    NaN: 'NaN',
    Infinity: 'Infinity',
    'NUL after the digits': '5%00',
  }

  for (const [what, limit] of Object.entries(limits)) {
    await t.test(what, async () => {
      const answer = await send(`/v1/pets?limit=${limit}`)

      assertError(answer, 'invalid_parameter')
      assert.match(messageOf(answer), /limit\b.*\b1\b.*\b100\b/)
    })
  }
})

test('listPets refuses limit without a value', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets?limit')

  assertError(answer, 'invalid_parameter')
})

test('listPets refuses a parameter that is given twice', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 4)
  const queries = {
    'limit=5&limit=5': 'limit',
    'limit=5&limit=6': 'limit',
    'limit=5&limit=': 'limit',
    'limit=5&status=sold&limit=5': 'limit',
    'limit=5&limit=5&limit=5': 'limit',
    'limit=5&%6Cimit=5': 'limit',
    'status=sold&status=sold': 'status',
    'status=sold&status=available': 'status',
    'status&status=sold': 'status',
    'without=status&without=status': 'without',
    'categoryId=1&categoryId=1': 'categoryId',
    'id=1&id=1': 'id',
    'id=1&id=2': 'id',
    'ids=1&ids=2': 'ids',
  }

  for (const [query, parameter] of Object.entries(queries)) {
    await t.test(query, async () => {
      const answer = await send(`/v1/pets?${query}`)

      assertError(answer, 'invalid_parameter')
      assert.match(messageOf(answer), new RegExp(`^${parameter} .*\\bonce\\b`))
    })
  }
})

test('listPets ignores unknown query parameters', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 3)
  const queries = [
    '',
    'foo=bar',
    'foo',
    'foo=1&foo=2',
    'Limit=0',
    'STATUS=lost',
    'limit[]=0',
    'limit%5B%5D=0',
    'status%20=lost',
    'page=2&offset=1&sort=name',
    '__proto__=1',
    '__proto__[limit]=1',
    'constructor=1&toString=2&hasOwnProperty=3',
    '=',
    '=1',
    '&&&',
    '%00=1',
    `%F0%9F%90%B6=${'x'.repeat(2000)}`,
  ]

  for (const query of queries) {
    await t.test(`?${query.slice(0, 40)}`, async () => {
      const answer = await send(`/v1/pets?${query}`)

      assert.equal(answer.status, 200)
      assert.deepEqual(idsOf(answer), [1, 2, 3])
    })
  }
})

test('listPets refuses a query with a broken percent escape', async (t) => {
  const { send } = await startApp(t)

  for (const query of ['limit=%', 'limit=5%2', 'status=%zz', 'foo=%', '%=1', 'foo=%FF', 'foo=%C3', 'foo=%ED%A0%80']) {
    await t.test(query, async () => {
      const answer = await send(`/v1/pets?${query}`)

      assertError(answer, 'invalid_parameter')
    })
  }
})

test('listPets returns an empty array if nothing matches', async (t) => {
  const { send, storage } = await startApp(t)
  await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'sold' })
  const queries = [
    'status=pending',
    'categoryId=2',
    'categoryId=-1',
    'id=2',
    'id=0',
    'id=-1',
    'id=9223372036854775807',
    'id=-9223372036854775808',
    'id=1&status=pending',
    'id=1&categoryId=2',
    'categoryId=1&status=available',
  ]

  for (const query of queries) {
    await t.test(query, async () => {
      const answer = await send(`/v1/pets?${query}`)

      assert.equal(answer.status, 200)
      assert.equal(answer.text, '[]')
    })
  }
})

test('every list response has Vary: Prefer, Accept-Encoding', async (t) => {
  const { send } = await startApp(t)

  const plain = await send('/v1/pets')
  const counted = await send('/v1/pets', { headers: { prefer: 'count=exact' } })
  const unchanged = await send('/v1/pets', { headers: { 'if-none-match': '*' } })

  assert.equal(unchanged.status, 304)
  for (const answer of [plain, counted, unchanged]) assert.equal(answer.headers.get('vary'), 'Prefer, Accept-Encoding')
})

test('with configured origins the list also has Vary: Origin', async (t) => {
  const { send } = await startApp(t, { corsOrigins: ['https://shop.example'] })

  for (const headers of [{}, { origin: 'https://shop.example' }, { origin: 'https://other.example' }]) {
    const answer = await send('/v1/pets', { headers })
    assert.equal(answer.headers.get('vary'), 'Origin, Prefer, Accept-Encoding')
  }
})

/** Animals 1, 2, 3, …: of categories 0, 1, 2 in turn, and available, pending, sold, without a status in turn. */
async function addAnimals(storage: Storage, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const status = statuses[index % 4]
    await storage.pets.create({ name: `animal ${index}`, categoryId: BigInt(index % 3), ...(status && { status }) })
  }
}

function idsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

function idsOf(answer: Answer): number[] {
  return (answer.body as { id: number }[]).map(({ id }) => id)
}

function messageOf(answer: Answer): string {
  return (answer.body as { message: string }).message
}
