import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { csv } from '../../../src/transfer/formats/csv.ts'
import { ndjson } from '../../../src/transfer/formats/ndjson.ts'
import { importFile } from '../../../src/transfer/import/import-file.ts'
import { optionsOf } from '../../support/recording-imports.ts'

for (const { format, header, row } of [
  { format: csv, header: 'name,categoryId,note\n', row: (note: string) => `a name of this animal,1,${note}\n` },
  {
    format: ndjson,
    header: '',
    row: (note: string) => `{"name":"a name of this animal","categoryId":1,"note":"${note}"}\n`,
  },
]) {
  test(`pets of ${format.name} that wait for others do not keep their rows in memory`, async () => {
    const bytes = Buffer.from(row('x'.repeat(60_000)))
    const rows = 1_000
    let keptBytes = 0
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(header)
      const before = heapBytes()
      for (let sent = 0; sent < rows; sent++) yield Buffer.from(bytes)
      keptBytes = heapBytes() - before
    }
    const allOrNothing = { maxPets: rows, maxCharacters: 1_000_000 }

    const { added } = await importFile(pieces(), optionsOf({ reader: format.reader(), allOrNothing }))

    assert.equal(added, rows)
    assert.ok(keptBytes < (rows * bytes.length) / 2, `${keptBytes} bytes of ${rows} rows are in memory`)
  })
}

test('rows that wait for their categories do not keep what is between them in memory', async () => {
  const bytes = Buffer.from(`{"name":"Rex","categoryName":"Dogs"}\n${' '.repeat(60_000)}\n`)
  const rows = 500
  let keptBytes = 0
  async function* pieces(): AsyncGenerator<Buffer> {
    const before = heapBytes()
    for (let sent = 0; sent < rows; sent++) yield Buffer.from(bytes)
    keptBytes = heapBytes() - before
  }

  const { added } = await importFile(pieces(), optionsOf({ reader: ndjson.reader(), createCategories: true }))

  assert.equal(added, rows)
  assert.ok(keptBytes < (rows * bytes.length) / 2, `${keptBytes} bytes between ${rows} rows are in memory`)
})

/** Without garbage. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
