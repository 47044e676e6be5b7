import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportResult } from '../../src/contract/import-result.ts'
import { csv } from '../../src/transfer/formats/csv.ts'
import { ndjson } from '../../src/transfer/formats/ndjson.ts'
import { ImportStopped } from '../../src/transfer/import/import-errors.ts'
import { importFile } from '../../src/transfer/import/import-file.ts'
import { noCounts, openImportProgress } from '../../src/transfer/import/import-progress.ts'
import { optionsOf, recordingImports } from '../support/recording-imports.ts'
import { ticksDuring } from '../support/ticks.ts'

for (const { names, length, sizes } of [
  { names: 'that are large', length: 64 * 1024, sizes: [32, 32, 32, 4] },
  { names: 'with many words', length: 1_000, sizes: [48, 48, 4] },
  { names: 'that are short', length: 10, sizes: [100] },
]) {
  test(`a batch of pets with names ${names} has ${sizes[0]} of them, because of what they cost`, async () => {
    const { imports, batches } = recordingImports()
    const row = `${'x '.repeat(length / 2 - 1)}xx,1\n`
    const limits = { maxCost: 1_000, maxCharacters: 2 * 1024 ** 2 }

    const { added } = await importFile(piecesOf(`name,categoryId\n${row.repeat(100)}`), optionsOf({ imports, limits }))

    assert.deepEqual(batches, sizes)
    assert.equal(added, 100)
  })
}

test('only the last batch of a request that is its first, too, says so', async () => {
  const target = { name: 'spring', keyId: 'key_a', keyName: 'Desk' }
  const onlyOf = async (limits: { maxCost: number; maxCharacters: number }) => {
    const { imports, parts } = recordingImports()
    await importFile(piecesOf('name,categoryId\nRex,1\n'), optionsOf({ imports, limits, target }))
    return parts.map(({ isLast, isOnly }) => [isLast, isOnly])
  }

  assert.deepEqual(await onlyOf({ maxCost: 1_000, maxCharacters: 1_000 }), [[true, true]])
  assert.deepEqual(await onlyOf({ maxCost: 1, maxCharacters: 1 }), [
    [false, undefined],
    [true, false],
  ])
})

for (const { format, header, row } of [
  { format: ndjson, header: '', row: 'a\n' },
  { format: ndjson, header: '', row: '{"name":1}\n' },
  { format: csv, header: 'name,categoryId\n', row: 'a,b\n' },
]) {
  test(`other work has its ticks while a piece of ${format.name} with many invalid rows is read: ${row.trim()}`, async () => {
    const rows = 20_000
    let rejected = 0
    const options = optionsOf({ reader: format.reader() })

    const ticks = await ticksDuring(
      async () => ({ rejected } = await importFile(piecesOf(header + row.repeat(rows)), options)),
    )

    assert.equal(rejected, rows)
    assert.ok(ticks >= 2, `${ticks} ticks`)
  })
}

for (const { names, length, dryRun } of [
  { names: 'many', length: 10, dryRun: false },
  { names: 'long', length: 900, dryRun: true },
]) {
  test(`a file whose rows all have unknown categories is read to its end, also with ${names} names`, async () => {
    const rows = length === 10 ? 100_001 : 5_000
    const lines = Array.from({ length: rows }, (_none, index) => `Rex,${String(index).padEnd(length, '-')}\n`)

    const { rejected } = await importFile(piecesOf(`name,categoryName\n${lines.join('')}`), optionsOf({ dryRun }))

    assert.equal(rejected, rows)
  })
}

for (const readsAhead of [true, false]) {
  test(`a file that cannot be read further ${readsAhead ? 'while a batch is added' : ''} tells what went in`, async () => {
    const { imports } = recordingImports()
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from('name,categoryId\nRex,1\nTom,1\n')
      throw new Error('The disk is gone.')
    }
    const options = optionsOf({ imports, readsAhead, limits: { maxCost: 1, maxCharacters: 1 } })

    await assert.rejects(importFile(pieces(), options), (error) => {
      assert.ok(error instanceof ImportStopped)
      assert.deepEqual([(error.cause as Error).message, error.added, error.unknown], ['The disk is gone.', 2, 0])
      return true
    })
  })
}

test('the digest of an import covers its rows and header as they were sent', async () => {
  const texts = [
    'name,categoryId\nRex,1\n',
    'name,categoryId\r\nRex,1\r\n',
    'name,categoryId\n"Rex",1\n',
    'categoryId,name\nRex,1\n',
    'name,categoryId,status\nRex,1,\n',
    'name,categoryId\nRex,1\nbad,x\n',
  ]
  const digests: (string | undefined)[] = []
  for (const text of texts) {
    const { imports, steps } = recordingImports()
    const progress = openImportProgress({ key: { keyId: 'k', name: 'n' }, kind: 'csv', stored: undefined })
    await importFile(piecesOf(text), optionsOf({ imports, progress }))
    digests.push(steps.at(-1)?.key.fingerprint)
  }

  assert.equal(digests[0], digests[1], 'line ends are not part of a row')
  assert.equal(new Set(digests).size, texts.length - 1)
})

test('a repeated import replaces the step of the one before, and is refused if another was faster', async () => {
  const stored = { rows: 2, ...noCounts, added: 2, fingerprint: 'before' }
  const key = { keyId: 'k', name: 'n' }
  const { imports, steps } = recordingImports()
  const progress = openImportProgress({ key, kind: 'csv', stored, restart: true })

  const { added } = await importFile(piecesOf('name,categoryId\nRex,1\nTom,1\n'), optionsOf({ imports, progress }))

  assert.equal(added, 2)
  assert.deepEqual(
    steps.map(({ before }) => before),
    ['before'],
  )
  const refusing = { ...imports, add: async () => false }
  const again = openImportProgress({ key, kind: 'csv', stored, restart: true })
  await assert.rejects(
    importFile(piecesOf('name,categoryId\nRex,1\n'), optionsOf({ imports: refusing, progress: again })),
    (error: ImportStopped) => (error.cause as { code?: string }).code === 'conflict',
  )
})

test('an import that begins anew beside a running one of the same file takes its place: only one goes on', () => {
  const key = { keyId: 'k', name: 'n' }
  const first = openImportProgress({ key, kind: 'csv', stored: undefined })
  first.begin('name,categoryId')
  first.take('Rex,1')
  const begun = first.step(noCounts)
  const stored = { rows: 1, ...noCounts, fingerprint: begun.key.fingerprint }
  const anew = openImportProgress({ key, kind: 'csv', stored, restart: true })
  anew.begin('name,categoryId')
  anew.take('Rex,1')

  const step = anew.step(noCounts)

  assert.equal(step.before, begun.key.fingerprint)
  assert.notEqual(step.key.fingerprint, begun.key.fingerprint, 'the first import would go on from here')
  const body = JSON.parse(step.body) as typeof stored
  const resumed = openImportProgress({ key, kind: 'csv', stored: { ...body, fingerprint: step.key.fingerprint } })
  resumed.begin('name,categoryId')
  resumed.take('Rex,1')
  resumed.end()
})

test('an import makes at most 1,000 categories, also when it is resumed', async () => {
  const rows = Array.from({ length: 1_003 }, (_none, index) => `Rex,Kind ${index}\nTom,KIND ${index}\n`).join('')
  const file = `name,categoryName\n${rows}`
  const limits = { maxCost: 100, maxCharacters: 1_000_000 }
  const key = { keyId: 'k', name: 'n' }

  const whole = await importFile(piecesOf(file), optionsOf({ limits, createCategories: true, dryRun: true }))
  const first = openImportProgress({ key, kind: 'csv', stored: undefined })
  first.begin('name,categoryName')
  first.take('Rex,Kind 0')
  const { fingerprint } = first.step(noCounts).key
  const stored = { rows: 1, ...noCounts, added: 1, made: 999, fingerprint }
  const progress = openImportProgress({ key, kind: 'csv', stored })
  const resumed = await importFile(piecesOf(file), optionsOf({ limits, createCategories: true, progress }))

  assert.deepEqual([whole.added, whole.rejected, whole.newCategories?.length], [2_000, 6, 1_000])
  assert.match(
    whole.rejects[0]?.message ?? '',
    /^No category is called "Kind 1000", and an import makes at most 1000\.$/,
  )
  assert.deepEqual([resumed.added, resumed.rejected], [2, 2_004])
})

test('other work has its ticks while thousands of long category names are looked up', async () => {
  const rows = Array.from({ length: 3_000 }, (_none, index) => `Rex,${index}${'é'.repeat(900)}\n`).join('')
  const limits = { maxCost: 3_000, maxCharacters: 10_000_000 }
  let result: ImportResult | undefined

  const ticks = await ticksDuring(async () => {
    result = await importFile(
      piecesOf(`name,categoryName\n${rows}`),
      optionsOf({ limits, createCategories: true, dryRun: true }),
    )
  })

  assert.equal(result?.newCategories?.length, 1_000)
  assert.ok(ticks >= 3, `${ticks} ticks`)
})

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
