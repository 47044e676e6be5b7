import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '../../src/inventory/errors.ts'
import type { Imports } from '../../src/inventory/imports.ts'
import type { ErrorCode } from '../../src/contract/error.ts'
import { type Answer, shareApp, startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const sharedApp = shareApp()
const path = '/v1/pets/import'

for (const engine of engines) {
  for (const { format, type, body } of [
    {
      format: 'a column of CSV',
      type: 'text/csv',
      body:
        'name;categoryId;categoryName\nA;;Cats\nB;;ÉCLAIR\nC;7;nobody reads this\nD;;cats\nE;;"Ham""ster"\n' +
        `F;;\nG;;${'x'.repeat(1001)}\nH;x;Cats\n`,
    },
    {
      format: 'a member of NDJSON',
      type: 'application/x-ndjson',
      body: [
        '\n{"name":"A","categoryName":"Cats"}',
        '{"name":"B","categoryName":"ÉCLAIR"}',
        '{"name":"C","categoryId":7,"categoryName":5}',
        '{"name":"D","categoryName":"cats"}',
        '{"name":"E","categoryName":"Ham\\"ster"}',
        '{"name":"F","categoryName":""}',
        `{"name":"G","categoryName":"${'x'.repeat(1001)}"}`,
        '{"name":"H","categoryId":"x","categoryName":"Cats"}\n',
      ].join('\n'),
    },
  ]) {
    test(`${engine.name}: ${format} names the category: exactly, then without case and accents; categoryId counts`, async (t) => {
      const app = await startApp(t, { engine })
      await putCategories(app, { 1: 'Cats', 2: 'CATS', 3: 'eclair' })

      const { added, rejects } = await importRows(app, body, '', type)

      assert.deepEqual(await petsOf(app), [
        ['A', 1n],
        ['B', 3n],
        ['C', 7n],
      ])
      const tooShort = 'categoryName must be a string of 1 to 1000 characters.'
      assert.deepEqual(
        [added, rejects.slice(0, 4)],
        [
          3,
          [
            { line: 5, message: 'Several categories are called "cats": give categoryId.' },
            { line: 6, message: 'No category is called "Ham\\"ster".' },
            { line: 7, message: tooShort },
            { line: 8, message: tooShort },
          ],
        ],
      )
      assert.match(rejects[4]?.message ?? '', /^categoryId must be an integer/)
      assert.equal(rejects.length, 5)
    })
  }

  test(`${engine.name}: create-categories makes each missing category once, also for names that differ in case`, async (t) => {
    const app = await startApp(t, { engine })
    await putCategories(app, { 4: 'Cats' })
    const rows = ['Rex,Dogs', 'Tom,cats', 'Ina,Hamster', 'Ida,HAMSTER', 'Udo,dogs', `Max,${'x'.repeat(1001)}`, 'Eva,']

    const result = await importRows(app, csvOf(rows), '?create-categories=true')

    assert.deepEqual(
      [result.added, result.rejects.map(({ line }) => line), result.newCategories],
      [5, [7, 8], undefined],
    )
    assert.deepEqual(await categoriesOf(app), { 4: 'Cats', 5: 'Dogs', 6: 'Hamster' })
    assert.deepEqual(
      (await petsOf(app)).map(([, id]) => id),
      [5n, 4n, 6n, 6n, 5n],
    )
    await importRows(app, csvOf(['Lea,hamster']), '?create-categories=true')
    assert.deepEqual((await petsOf(app)).at(-1), ['Lea', 6n])
  })

  for (const mode of ['', '&mode=all-or-nothing']) {
    test(`${engine.name}: a dry run${mode} says what the import does then, and stores nothing`, async (t) => {
      const app = await startApp(t, { engine })
      await putCategories(app, { 1: 'Cats' })
      const many = Array.from({ length: 2_500 }, (_none, index) => `Pet ${index},${index === 2_400 ? 'FISH' : 'cats'}`)
      const valid = ['Rex,Dogs', ...many, 'Ina,fish', 'Ida,dogs']
      const rows = mode === '' ? ['Bad,', ...valid, 'Bad,'] : valid
      const query = `?create-categories=true${mode}`
      const headers = { 'idempotency-key': 'k' }

      const { newCategories, ...forecast } = await importRows(app, csvOf(rows), `${query}&dry-run=true`, csv, headers)

      assert.deepEqual(newCategories, ['Dogs', 'FISH'])
      assert.deepEqual(await petsOf(app), [])
      assert.deepEqual(await categoriesOf(app), { 1: 'Cats' })
      assert.equal((await app.storage.events.list(1, 0n)).items.length, 0)
      const real = await app.send(`${path}${query}`, {
        method: 'POST',
        headers: { 'content-type': csv, ...headers },
        body: csvOf(rows),
      })
      assert.partialDeepStrictEqual([real.headers.get('idempotent-replayed'), real.body], [null, forecast])
      assert.equal(forecast.added, valid.length)
      assert.deepEqual(Object.values(await categoriesOf(app)), ['Cats', 'Dogs', 'FISH'])
    })
  }

  test(`${engine.name}: all-or-nothing with a rejected row makes no category, and reports all rows in their order`, async (t) => {
    const app = await startApp(t, { engine })
    await putCategories(app, { 1: 'fish', 2: 'Fish' })
    const many = Array.from({ length: 2_100 }, (_none, index) => `Pet ${index},Dogs`)
    const rows = ['Ina,FISH', ',Dogs', ...many, 'Ida,FISH', ',Dogs']
    const query = '?create-categories=true&mode=all-or-nothing'

    const forecast = await importRows(app, csvOf(rows), `${query}&dry-run=true`)
    const { importId: _importId, ...real } = await importRows(app, csvOf(rows), query)

    assert.deepEqual(forecast, { ...real, newCategories: [] })
    assert.deepEqual([real.added, real.rejects.map(({ line }) => line)], [0, [2, 3, 2_104, 2_105]])
    assert.deepEqual(await petsOf(app), [])
    assert.deepEqual(await categoriesOf(app), { 1: 'fish', 2: 'Fish' })
  })

  test(`${engine.name}: an all-or-nothing import that cannot be stored makes no category`, async (t) => {
    const app = await startApp(t, { engine })
    const rows = ['Ina,Dogs', 'Ida,Fish']
    // Found as missing, and meanwhile there are two.
    meddle(app, async () => putCategories(app, { 1: 'fish', 2: 'FISH' }))

    const answer = await app.send(`${path}?create-categories=true&mode=all-or-nothing`, {
      method: 'POST',
      headers: { 'content-type': csv },
      body: csvOf(rows),
    })

    assertError(answer, 'unavailable')
    assert.deepEqual(await categoriesOf(app), { 1: 'fish', 2: 'FISH' })
    assert.deepEqual(await petsOf(app), [])
  })

  test(`${engine.name}: a category that is renamed while its animals are added ends the import, which can be resumed`, async (t) => {
    const app = await startApp(t, { engine })
    await putCategories(app, { 1: 'Cats' })
    meddle(app, async () => putCategories(app, { 1: 'Dogs' }))
    const init = { method: 'POST', headers: { 'content-type': csv, 'idempotency-key': 'k' }, body: csvOf(['Tom,Cats']) }

    const refused = await app.send(path, init)
    const retried = await app.send(path, init)

    assertRefused(refused, 'unavailable', /^A category that the file names was changed meanwhile; .* No animals /)
    assert.deepEqual((retried.body as Result).rejects, [{ line: 2, message: 'No category is called "Cats".' }])
  })

  test(`${engine.name}: a resumed import keeps what became of its rows, whatever changed in the shop since`, async (t) => {
    const app = await startApp(t, { engine })
    await putCategories(app, { 1: 'Cats' })
    const many = Array.from({ length: 2_000 }, (_none, index) => `Pet ${index},Dogs`)
    const body = csvOf(['Tom,Cats', 'Kim,Ghost', ...many, 'Ida,Cats', 'Lou,Ghost', 'Ina,dogs'])
    const init = { method: 'POST', headers: { 'content-type': csv, 'idempotency-key': 'k' }, body }
    await putCategories(app, { 2: 'Dogs' })
    failSecondBatch(app.storage.imports)

    const refused = await app.send(path, init)
    await putCategories(app, { 1: 'Ghost' })
    const resumed = await app.send(path, init)
    const replayed = await app.send(path, init)

    assertRefused(refused, 'unavailable', /1\d\d\d animals were added\./)
    assert.partialDeepStrictEqual(resumed.body, {
      added: 2_003,
      rejected: 2,
      rejects: [
        { line: 3, message: 'No category is called "Ghost".' },
        { line: 2_004, message: 'No category is called "Cats".' },
      ],
    })
    assert.equal(replayed.text, resumed.text)
    const pets = await petsOf(app)
    assert.deepEqual(
      pets.filter(([, id]) => id === 1n).map(([name]) => name),
      ['Tom', 'Lou'],
    )
    assert.equal(pets.length, 2_003)
  })
}

for (const query of ['create-categories=yes', 'create-categories=', 'dry-run=1', 'dry-run=true&dry-run=true']) {
  test(`an import with ${query} is 400`, async () => {
    const { send } = await sharedApp()
    const answer = await send(`${path}?${query}`, { method: 'POST', headers: { 'content-type': csv }, body: csvOf([]) })

    assertRefused(answer, 'invalid_parameter', /^(create-categories|dry-run) must be (true or false|given once)\.$/)
  })
}

test('a key that was used for an import without new categories is 422 with them', async (t) => {
  const { send } = await startApp(t)
  const init = { method: 'POST', headers: { 'content-type': csv, 'idempotency-key': 'k' }, body: csvOf(['Tom,Cats']) }
  await send(path, init)

  assertError(await send(`${path}?create-categories=true`, init), 'idempotency_mismatch')
  assert.equal((await send(`${path}?create-categories=false`, init)).status, 200)
})

test('an error in the middle of a dry run does not say that animals were added', async () => {
  const { send } = await sharedApp()
  const body = Buffer.concat([
    Buffer.from('{"name":"Rex","categoryId":1}\n'.repeat(3_000)),
    Buffer.alloc(1024 ** 2 + 1, 120),
  ])

  const headers = { 'content-type': 'application/x-ndjson' }
  const answer = await send(`${path}?dry-run=true`, { method: 'POST', headers, body })

  assertRefused(answer, 'invalid_body', /No animals were added\.$/)
})

const csv = 'text/csv'

interface Result {
  importId?: string
  added: number
  rejected: number
  rejects: { line: number; message: string }[]
  newCategories?: string[]
}

function csvOf(rows: readonly string[]): string {
  return `name,categoryName\n${rows.map((row) => `${row}\n`).join('')}`
}

async function importRows(
  { send }: TestApp,
  body: string,
  query = '',
  type = csv,
  headers: Record<string, string> = {},
): Promise<Result> {
  const answer = await send(`${path}${query}`, { method: 'POST', headers: { 'content-type': type, ...headers }, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Result
}

async function putCategories({ storage }: TestApp, names: Record<number, string>): Promise<void> {
  for (const [id, name] of Object.entries(names)) await storage.categories.put({ id: BigInt(id), name })
}

async function categoriesOf({ storage }: TestApp): Promise<Record<string, string>> {
  const { items } = await storage.categories.list(100)
  return Object.fromEntries(items.map(({ id, name }) => [String(id), name]))
}

async function petsOf({ storage }: TestApp): Promise<[name: string, categoryId: bigint][]> {
  const { items } = await storage.pets.list({}, 10_000, 0n)
  return items.map(({ name, categoryId }) => [name, categoryId])
}

/** Changes something once, after the categories of an import were looked up and before its animals are added. */
function meddle({ storage }: TestApp, change: () => Promise<void>): void {
  const imports = storage.imports as { add: Imports['add'] }
  const add = imports.add.bind(imports)
  let isDone = false
  imports.add = async (...call) => {
    if (!isDone) await change()
    isDone = true
    return add(...call)
  }
}

function failSecondBatch(imports: { add: Imports['add'] }): void {
  const add = imports.add.bind(imports)
  let batches = 0
  imports.add = async (...call) => {
    if (++batches === 2) throw unavailable('The disk is full.')
    return add(...call)
  }
}

function assertRefused(answer: Answer, code: ErrorCode, message: RegExp): void {
  assertError(answer, code)
  assert.match((answer.body as { message: string }).message, message)
}
