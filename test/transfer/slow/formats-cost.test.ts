import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csv } from '../../../src/transfer/formats/csv.ts'
import { assertLinear } from '../../support/cpu-cost.ts'

const header = 'name,categoryId,status\n'
const pieceBytes = 16 * 1024

test('csv: a quote that is not closed is found before it has swallowed the memory', () => {
  const reader = csv.reader()
  Array.from(reader.push(Buffer.from(`${header}"Rex,1,\n`)))
  const piece = Buffer.from('Tom,2,\n'.repeat(100_000))

  const rows = Array.from({ length: 3 }, () => [...reader.push(piece)]).flat()

  assert.deepEqual(
    [rows.length, rows[0]?.line, rows[1]],
    [300_001, 2, { line: 3, original: 'Tom,2,', pet: { name: 'Tom', categoryId: 2n } }],
  )
})

test('csv: a quoted record of many pieces is read once, however many fields, lines and quotes it has', async () => {
  // A line end in the first field: only then the record is read before it is complete.
  for (const [start, part, end] of [
    ['"\n",', '"a",', ''],
    ['"\n",', '"",', ''],
    ['"\n', '\n', '"'],
    ['"\n', '""', '"'],
  ] as const) {
    const readRecord = (bytes: number) => {
      const record = `${start}${part.repeat(bytes / part.length)}${end}`
      const content = Buffer.from(`${header}${record}\nRex,1,\n`)
      const reader = csv.reader()
      let rows = 0
      for (let at = 0; at < content.length; at += pieceBytes)
        rows += Array.from(reader.push(content.subarray(at, at + pieceBytes))).length
      assert.equal(rows + Array.from(reader.end()).length, 2)
    }
    await assertLinear(960 * 1024, readRecord, `a record of ${JSON.stringify(part)} `)
  }
})
