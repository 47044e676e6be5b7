import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet, PetStatus } from '../../src/contract/pet.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const statuses: readonly PetStatus[] = ['available', 'pending', 'sold']

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

function messageOf(answer: Answer): string {
  return (answer.body as { message: string }).message
}
