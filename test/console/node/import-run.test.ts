import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImport } from '../../../console/state/import/check.ts'
import { openImportFile } from '../../../console/state/import/file.ts'
import { guessMapping } from '../../../console/state/import/rows.ts'
import { type ImportProgress, prepareImport } from '../../../console/state/import/run.ts'
import { startClient } from '../../support/client.ts'

const signal = new AbortController().signal

for (const format of ['csv', 'ndjson'] as const) {
  test(`an import of ${format} keeps every rejected row with its line and data, also if there are more than 100`, async (t) => {
    const { petstore } = await startClient(t)
    const categoryIds = Array.from({ length: 1_300 }, (_none, at) => (at % 4 === 0 ? '"cat"' : `${at}`))
    const rows =
      format === 'csv'
        ? `name,categoryId\n"Rex\nII",1\n${categoryIds.map((id) => `Pet,${id}\n`).join('')}`
        : `{"name":"Rex","categoryId":1}\n\n\n${categoryIds.map((id) => `{"name":"Pet","categoryId":${id}}\n`).join('')}`
    const progress: ImportProgress[] = []

    const plan = await planOf(rows, `animals.${format}`)
    const { rejects, run } = prepareImport(petstore.pets, plan)
    const check = await checkImport(petstore.pets, plan, { signal, onProgress: () => undefined })
    await run((now) => progress.push(now), signal)

    assert.deepEqual(
      progress.map(({ done }) => done),
      [1_000, 1_301],
    )
    assert.deepEqual([check.ready, check.rejected, check.rejects.length], [976, 325, 100])
    assert.deepEqual([progress[1]?.added, progress[1]?.rejected, rejects.count()], [976, 325, 325])
    assert.deepEqual(rejects.first(), check.rejects)
    assert.equal(await petstore.pets.count(), 976)
    const saved = await openImportFile(rejects.file(), rejects.file().name)
    assert.equal(saved.count, 325)
    assert.equal(saved.name, `animals-rejected.${format}`)
  })
}

test('rejected rows are corrected and imported again, and no others are added', async (t) => {
  const { petstore } = await startClient(t)
  const first = prepareImport(
    petstore.pets,
    await planOf('Name;Farbe;Category ID\nRex;rot;1\n;blau;2\n"Tom";"a;b";x\n"Kim;3\n'),
  )
  await first.run(() => undefined, signal)

  const saved = await first.rejects.file().text()

  assert.match(
    saved,
    /^line;reason;Name;Farbe;Category ID\r\n3;The name is missing\.;;blau;2\r\n4;No category can have the number “x”\.;Tom;"a;b";x\r\n5;A quoted field is not closed.;"""Kim;3"\r\n$/,
  )
  const corrected = saved.replace(';;blau', ';Lea;blau').replace(';x\r', ';2\r').replace('"""Kim;3"', 'Kim;gelb;3')
  const second = prepareImport(petstore.pets, await planOf(corrected, 'animals-rejected.csv'))
  await second.run(() => undefined, signal)
  assert.equal(second.rejects.count(), 0)
  const { items } = await petstore.pets.list().page()
  assert.deepEqual(
    items.map(({ name }) => name),
    ['Rex', 'Lea', 'Tom', 'Kim'],
  )
})

test('rejected rows of NDJSON keep their members as they are, once', async (t) => {
  const { petstore } = await startClient(t)
  const first = prepareImport(
    petstore.pets,
    await planOf('{"name":"","categoryId":9007199254740993}\n{}\n[1]\n', 'a.jsonl'),
  )
  await first.run(() => undefined, signal)
  const saved = await first.rejects.file().text()
  const second = prepareImport(petstore.pets, await planOf(saved, 'a-rejected.ndjson'))
  await second.run(() => undefined, signal)

  assert.match(
    saved,
    /^\{"line":1,"reason":"[^"]+","name":"","categoryId":9007199254740993\}\n\{"line":2,"reason":"[^"]+"\}\n\{"line":3,"reason":"[^"]+","row":"\[1\]"\}\n$/,
  )
  assert.equal((await second.rejects.file().text()).match(/"line":/g)?.length, 3)
})

test('an import that is stopped ends after a request, and the rest can be imported later', async (t) => {
  const { petstore } = await startClient(t)
  const plan = await planOf(`name,categoryId\n${'Rex,1\n'.repeat(2_500)}`)
  const run = prepareImport(petstore.pets, plan)

  await run.run(() => run.stop(), signal)
  await run.rejectRest()

  assert.equal(await petstore.pets.count(), 1_000)
  const rest = await openImportFile(run.rejects.file(), 'rest.csv')
  assert.equal(rest.count, 1_500)
})

test('an import that is stopped asks again about a request whose response was lost', async (t) => {
  const { petstore } = await startClient(t)
  let isLost = true
  const pets: Pick<typeof petstore.pets, 'import'> = {
    async import(...call) {
      const result = await petstore.pets.import(...call)
      if (!isLost) return result
      run.stop()
      throw new Error('lost')
    },
  }
  const run = prepareImport(pets, await planOf(`name,categoryId\n${'Rex,1\n'.repeat(1_500)}`))
  await assert.rejects(
    run.run(() => assert.fail(), signal),
    /lost/,
  )
  isLost = false

  await run.run(() => undefined, signal)
  await run.rejectRest()

  assert.equal(await petstore.pets.count(), 1_000)
  const rest = await openImportFile(run.rejects.file(), 'rest.csv')
  assert.equal(rest.count, 500)
})

test('a file that cannot be read any more never counts as imported', async (t) => {
  const { petstore } = await startClient(t)
  const plan = await planOf('name,categoryId\nRex,1\n')
  const broken = { stream: () => new ReadableStream({ pull: (controller) => controller.error(new Error()) }) }
  const run = prepareImport(petstore.pets, { ...plan, file: { ...plan.file, blob: broken as unknown as Blob } })

  await assert.rejects(
    run.run(() => assert.fail(), signal),
    /changed or removed/,
  )
  await assert.rejects(
    run.run(() => assert.fail(), signal),
    /changed or removed/,
  )
})

async function planOf(rows: string, name = 'animals.csv') {
  const file = await openImportFile(new Blob([rows]), name)
  return { file, mapping: guessMapping(file), createCategories: false }
}
