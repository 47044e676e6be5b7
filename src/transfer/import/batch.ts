import type { ImportedPet, ImportPart, ImportStep, NamedCategory } from '../../inventory/imports.ts'

/** Pets that are added together, with what is stored beside them. */
export interface Batch {
  pets: ImportedPet[]
  characters: number
  categories: NamedCategory[]
  step?: ImportStep | undefined
  part?: ImportPart | undefined
}

export function emptyBatch(): Batch {
  return { pets: [], characters: 0, categories: [] }
}
