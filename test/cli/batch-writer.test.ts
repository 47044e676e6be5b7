import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../../src/cli/shared/command-line.ts'
import { openBatchWriter } from '../../src/cli/transfer/batch-writer.ts'
import type { Imports } from '../../src/inventory/imports.ts'

for (const { names, length, sizes } of [
  { names: 'that are large', length: 64 * 1024, sizes: [32, 32, 32, 4] },
  { names: 'with many words', length: 1_000, sizes: [48, 48, 4] },
  { names: 'that are short', length: 10, sizes: [100] },
]) {
  test(`a batch of pets with names ${names} has ${sizes[0]} of them, because of what they cost`, async () => {
    const staged: number[] = []
    const imports = {
      batchSize: 1_000,
      async stage(pets) {
        staged.push(pets.length)
      },
      addStaged: async () => true,
    } satisfies Partial<Imports> as unknown as Imports
    const writer = openBatchWriter(imports, { source: undefined, done: 0, allOrNothing: false, author: commandLine })
    const pet = { name: 'x '.repeat(length / 2), categoryId: 1n }

    for (let rows = 1; rows <= 100; rows++) await writer.take([pet], rows)
    await writer.finish([], 100)

    assert.deepEqual(staged, sizes)
    assert.equal(writer.added, 100)
  })
}
