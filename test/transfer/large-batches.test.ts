import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../src/inventory/caller.ts'
import { encodePets } from '../../src/transfer/encode-pets.ts'
import { csvFormat } from '../../src/transfer/formats/csv.ts'
import { ndjson } from '../../src/transfer/formats/ndjson.ts'
import { engines } from '../support/engines.ts'

const maxBatchBytes = 256 * 1024
const largeName = 'x'.repeat(64 * 1024)

/** A caller with room for everything, and what it was asked for. */
function countingCaller(): { caller: Caller; asked: number[] } {
  const asked: number[] = []
  const tryReserve = (bytes: number) => asked.push(bytes) > 0
  const reserve = async (bytes: number) => void tryReserve(bytes)
  return { asked, caller: { id: 'one', signal: new AbortController().signal, tryReserve, reserve } }
}

for (const engine of engines) {
  for (const [name, format] of Object.entries({
    ndjson,
    'csv with names of categories': csvFormat({ separator: ';', isForSpreadsheet: true }),
  })) {
    test(`${engine.name}: an export as ${name} has 256 KiB of large names in memory at a time, and every animal once`, async (t) => {
      const storage = await engine.open(t)
      // The large ones are the first of a page, then the last.
      for (const largest of [0, 20]) {
        const names = Array.from({ length: 40 }, (_, index) => (Math.abs(index - largest) < 20 ? largeName : 'Rex'))
        await storage.imports.add(names.map((name) => ({ name, categoryId: 1n })))
      }
      const { caller, asked } = countingCaller()
      let text = ''
      let count = 0
      const options = { format, filter: {}, pageSize: 50, atOneState: storage.atOneState, caller }

      for await (const part of encodePets(storage.pets, options)) {
        text += part.text
        count += part.count
      }

      assert.equal(count, 80)
      assert.equal(text.split(largeName).length - 1, 59)
      assert.equal(text.split('Rex').length - 1, 21)
      assert.ok(asked.length > 3 && Math.max(...asked) <= maxBatchBytes, asked.join())
    })
  }
}
