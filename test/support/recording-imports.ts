import type { NewPet } from '../../src/contract/pet.ts'
import type { ImportStep, Imports } from '../../src/inventory/imports.ts'
import { csv } from '../../src/transfer/formats/csv.ts'
import type { ImportOptions } from '../../src/transfer/import/import-file.ts'

/** Takes every batch, and remembers how many pets and which step it had. */
export function recordingImports() {
  const batches: number[] = []
  const steps: ImportStep[] = []
  const imports: Imports = {
    batchSize: 1_000,
    async add(pets, step) {
      batches.push((pets as readonly NewPet[]).length)
      const given = step?.()
      if (given !== undefined) steps.push(given)
      return true
    },
    findCategories: async (names) => names.map(() => 'missing'),
    stepOf: async () => undefined,
  }
  return { imports, batches, steps }
}

/** Of an import of CSV that keeps nothing, unless the options say otherwise. */
export function optionsOf(options: Partial<ImportOptions>): ImportOptions {
  return {
    imports: recordingImports().imports,
    reader: csv.reader(),
    limits: { maxCost: 1_000, maxCharacters: 1_000_000 },
    progress: undefined,
    author: '{}',
    ...options,
  }
}
