import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importRows } from '../../src/http/transfer/import-rows.ts'
import type { Imports } from '../../src/inventory/imports.ts'
import { csv } from '../../src/transfer/formats/csv.ts'
import { ndjson } from '../../src/transfer/formats/ndjson.ts'
import { turnsDuring } from '../support/turns.ts'

/** Nothing is added: all rows are invalid. */
const imports = {} as Imports

for (const { format, header, row } of [
  { format: ndjson, header: '', row: 'a\n' },
  { format: ndjson, header: '', row: '{"name":1}\n' },
  { format: csv, header: 'name,categoryId\n', row: 'a,b\n' },
]) {
  test(`other work has its turns while a piece of ${format.name} with many invalid rows is read: ${row.trim()}`, async () => {
    const rows = 20_000
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(header + row.repeat(rows))
    }
    let rejected = 0
    const options = {
      imports,
      format,
      allOrNothing: false,
      progress: undefined,
      author: '{}',
      beforeBatch: async () => {},
    }

    const turns = await turnsDuring(async () => ({ rejected } = await importRows(pieces(), options)))

    assert.equal(rejected, rows)
    assert.ok(turns >= 2, `${turns} turns`)
  })
}
