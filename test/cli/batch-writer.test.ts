import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../../src/cli/shared/command-line.ts'
import { openBatchWriter } from '../../src/cli/transfer/batch-writer.ts'
import type { Imports } from '../../src/inventory/imports.ts'

test('an import adds pets with long names in smaller batches', async () => {
  const staged: number[] = []
  const imports = {
    batchSize: 5_000,
    async stage(pets) {
      staged.push(pets.length)
    },
    addStaged: async () => true,
  } satisfies Partial<Imports> as unknown as Imports
  const writer = openBatchWriter(imports, { source: undefined, done: 0, allOrNothing: false, author: commandLine })
  const pet = { name: 'x'.repeat(64 * 1024), categoryId: 1n }

  for (let rows = 1; rows <= 300; rows++) await writer.take([pet], rows)
  await writer.finish([], 300)

  assert.deepEqual(staged, [128, 128, 44])
  assert.equal(writer.added, 300)
})
