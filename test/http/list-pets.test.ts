import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet, PetStatus } from '../../src/contract/pet.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type Answer, readAnswers, startApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const statuses: readonly PetStatus[] = ['available', 'pending', 'sold']

test('listPets returns an empty array for an empty shop', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '[]')
})

test('listPets returns a bare array of animals as application/json', async (t) => {
  const { send, storage } = await startApp(t)
  await storage.pets.create({ name: 'Rex', categoryId: 7n, status: 'sold' })
  await storage.pets.create({ name: 'Tom', categoryId: 8n })

  const answer = await send('/v1/pets')

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.deepEqual(answer.body, [
    { id: 1, name: 'Rex', categoryId: 7, status: 'sold' },
    { id: 2, name: 'Tom', categoryId: 8 },
  ])
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

test('listPets returns at most 20 animals without limit', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 25)

  const answer = await send('/v1/pets')

  assert.deepEqual(idsOf(answer), idsUpTo(20))
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

test('listPets returns all animals if limit is larger', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 3)

  const answer = await send('/v1/pets?limit=100')

  assert.deepEqual(idsOf(answer), [1, 2, 3])
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

test('listPets with a status returns exactly the animals of that status', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 12)

  for (const status of statuses) {
    await t.test(status, async () => {
      const answer = await send(`/v1/pets?status=${status}`)

      assert.equal(answer.status, 200)
      assert.deepEqual(statusesOf(answer), [status, status, status])
    })
  }
})

test('listPets refuses a status that is not one of the three', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 4)
  const values = {
    empty: '',
    capitals: 'SOLD',
    'a capital': 'Sold',
    unknown: 'lost',
    'comma list': 'available,sold',
    'leading space': '%20sold',
    'trailing space': 'sold%20',
    'NUL after it': 'sold%00',
    prefix: 'avail',
    null: 'null',
    undefined: 'undefined',
    'name of an inherited member': 'constructor',
    'index of a value': '0',
  }

  for (const [what, status] of Object.entries(values)) {
    await t.test(what, async () => {
      const answer = await send(`/v1/pets?status=${status}`)

      assertError(answer, 'invalid_parameter')
      assert.match(messageOf(answer), /status\b.*\bavailable\b.*\bpending\b.*\bsold\b/)
    })
  }
})

test('listPets refuses without=status together with a status, and any other value of without', async (t) => {
  const { send } = await startApp(t)
  const messages = {
    'without=status&status=sold': 'without=status contradicts status: give one of the two.',
    'without=': 'without must be status.',
    'without=Status': 'without must be status.',
    'without=name': 'without must be status.',
  }

  for (const [query, message] of Object.entries(messages)) {
    // Twice: the second may be read in front of the gates.
    for (const answer of [await send(`/v1/pets?${query}`), await send(`/v1/pets?${query}`)]) {
      assertError(answer, 'invalid_parameter')
      assert.equal(messageOf(answer), message)
    }
  }
})

test('the animals without a status come page by page, and a cursor belongs to the filter', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 20)

  const first = await send('/v1/pets?without=status&limit=3')
  const next = new URL(/<([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
  const second = await send(`${next.pathname}${next.search}`)

  assert.deepEqual(
    [idsOf(first), idsOf(second)],
    [
      [4, 8, 12],
      [16, 20],
    ],
  )
  assert.equal(second.headers.get('link'), null)
  const cursor = next.searchParams.get('cursor')
  for (const filter of ['', '&status=sold']) {
    assertError(await send(`/v1/pets?cursor=${cursor}${filter}`), 'invalid_parameter')
  }
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

test('listPets orders animals by ascending id, the order of creation', async (t) => {
  const { send, create } = await startApp(t)
  const names = ['m', 'z', 'a', 'Z', 'é', '10', '9', 'b', 'y', 'c', 'x', 'd']
  for (const [index, name] of names.entries()) await create({ name, categoryId: -index, status: statuses[index % 3] })

  const answer = await send('/v1/pets')

  assert.deepEqual(idsOf(answer), idsUpTo(names.length))
  assert.deepEqual(
    (answer.body as { name: string }[]).map(({ name }) => name),
    names,
  )
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

test('listPets with an id returns that one animal', async (t) => {
  const { send, storage } = await startApp(t)
  await addAnimals(storage, 25)

  for (const id of [1, 2, 24, 25]) {
    await t.test(`id=${id}`, async () => {
      const answer = await send(`/v1/pets?id=${id}`)

      assert.deepEqual(idsOf(answer), [id])
    })
  }
})

test('listPets with a categoryId returns the animals of exactly that category', async (t) => {
  const { send, storage } = await startApp(t)
  const categories = [
    '0',
    '1',
    '-1',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775806',
    '9223372036854775807',
    '-9223372036854775807',
    '-9223372036854775808',
  ]
  for (const category of [...categories, ...categories])
    await storage.pets.create({ name: category, categoryId: BigInt(category) })

  for (const [index, category] of categories.entries()) {
    await t.test(`categoryId=${category}`, async () => {
      const answer = await send(`/v1/pets?categoryId=${category}`)

      const [first, second] = [index + 1, index + 1 + categories.length]
      assert.equal(
        answer.text,
        `[{"id":${first},"name":"${category}","categoryId":${category}},` +
          `{"id":${second},"name":"${category}","categoryId":${category}}]`,
      )
    })
  }
})

for (const parameter of ['id', 'categoryId']) {
  test(`listPets refuses a value of ${parameter} that is not the decimal of an int64`, async (t) => {
    const { send, storage } = await startApp(t)
    await addAnimals(storage, 1)
    const values = {
      empty: '',
      letters: 'abc',
      fraction: '1.0',
      exponent: '1e0',
      'leading zeros': '001',
      'encoded plus sign': '%2B1',
      'leading space': '%201',
      'trailing space': '1%20',
      hexadecimal: '0x1',
      'comma list': '1,2',
      'one above the highest': '9223372036854775808',
      'one below the lowest': '-9223372036854775809',
      'far too long': '1'.repeat(300),
      null: 'null',
      quoted: '%221%22',
    }

    for (const [what, value] of Object.entries(values)) {
      await t.test(what, async () => {
        const answer = await send(`/v1/pets?${parameter}=${value}`)

        assertError(answer, 'invalid_parameter')
        assert.match(
          messageOf(answer),
          new RegExp(`\\b${parameter}\\b.*-9223372036854775808 .*\\b9223372036854775807\\b`),
        )
      })
    }
  })
}

test('listPets combines filters', async (t) => {
  const { send, storage } = await startApp(t)
  const animals: NewPet[] = [
    { name: 'a', categoryId: 1n, status: 'sold' },
    { name: 'b', categoryId: 1n, status: 'available' },
    { name: 'c', categoryId: 2n, status: 'sold' },
    { name: 'd', categoryId: 1n },
    { name: 'e', categoryId: 1n, status: 'sold' },
    { name: 'f', categoryId: 1n, status: 'sold' },
    { name: 'g', categoryId: 2n },
  ]
  for (const animal of animals) await storage.pets.create(animal)
  const expected: Record<string, number[]> = {
    'status=sold': [1, 3, 5, 6],
    'categoryId=1': [1, 2, 4, 5, 6],
    'status=sold&categoryId=1': [1, 5, 6],
    'categoryId=1&status=sold': [1, 5, 6],
    'status=sold&categoryId=1&limit=2': [1, 5],
    'status=sold&limit=3': [1, 3, 5],
    'categoryId=1&limit=4': [1, 2, 4, 5],
    'without=status': [4, 7],
    'without=status&categoryId=1': [4],
    'without=status&name=g': [7],
    'without=status&sort=-id': [7, 4],
    'without=status&sort=-name&limit=1': [7],
    'id=4&without=status': [4],
    'id=5&without=status': [],
    'id=5&status=sold': [5],
    'id=5&categoryId=1': [5],
    'id=5&categoryId=1&status=sold&limit=1': [5],
    'id=4&categoryId=1': [4],
  }

  for (const [query, ids] of Object.entries(expected)) {
    await t.test(query, async () => {
      const answer = await send(`/v1/pets?${query}`)

      assert.deepEqual(idsOf(answer), ids)
    })
  }
})

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

function statusesOf(answer: Answer): (string | undefined)[] {
  return (answer.body as { status?: string }[]).map(({ status }) => status)
}

function messageOf(answer: Answer): string {
  return (answer.body as { message: string }).message
}
