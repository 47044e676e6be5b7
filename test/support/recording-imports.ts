import type { NewPet } from '../../src/contract/pet.ts'
import type { ImportPart, ImportStep, Imports } from '../../src/inventory/imports.ts'
import { csv } from '../../src/transfer/formats/csv.ts'
import type { ImportOptions } from '../../src/transfer/import/import-file.ts'

/** Takes every batch, and remembers how many pets and which step it had. */
export function recordingImports() {
  const batches: number[] = []
  const steps: ImportStep[] = []
  const parts: ImportPart[] = []
  const imports: Pick<Imports, 'add' | 'findCategories' | 'findByDigest' | 'stepOf'> = {
    async add(pets, step, _author, _categories, part) {
      batches.push((pets as readonly NewPet[]).length)
      const given = step?.()
      if (given !== undefined) steps.push(given)
      const own = part?.()
      if (own !== undefined) parts.push(own)
      return true
    },
    findCategories: async (names) => names.map(() => 'missing'),
    stepOf: async () => undefined,
    findByDigest: async () => undefined,
  }
  return { imports, batches, steps, parts }
}

/** Of an import of CSV that keeps nothing, unless the options say otherwise. */
export function optionsOf(options: Partial<ImportOptions>): ImportOptions {
  return {
    imports: recordingImports().imports,
    target: undefined,
    reader: csv.reader(),
    limits: { maxCost: 1_000, maxCharacters: 1_000_000 },
    progress: undefined,
    author: '{}',
    ...options,
  }
}
