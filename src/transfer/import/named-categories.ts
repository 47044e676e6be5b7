import { maxNewCategories } from '../../contract/import-result.ts'
import { type CategoryMatch, foldedKeyOf } from '../../inventory/category-names.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ImportedPet, Imports, NamedCategory } from '../../inventory/imports.ts'
import { loopSteps } from '../../inventory/loop-steps.ts'
import type { RowPet } from '../formats/row-pet.ts'

/** Finds the categories that the rows of a file call by name. */
export interface NamedCategories {
  /** Looks up names, each once. */
  find(names: Iterable<string>): Promise<void>
  /** The pet with its category, or why it has none. Its name was looked up. */
  settle(pet: RowPet): ImportedPet | string
  /** The categories of the pets since the last call. */
  take(): NamedCategory[]
  /** The names of all that are new, in the order of the file. */
  newNames(): string[]
}

export interface NamedCategoriesOptions {
  imports: Pick<Imports, 'findCategories'>
  /** Whether missing categories are to be made. */
  create: boolean
  /** How many the import has made before it was resumed. */
  madeBefore: number
}

/** The most names that wait for one transaction, which looks all of them up again, and their characters. */
const maxNames = 100_000
const maxCharacters = 4 * 1024 ** 2

export function openNamedCategories({ imports, create, madeBefore }: NamedCategoriesOptions): NamedCategories {
  /** By name: the id, the index of a new one, or why there is none. */
  let found = new Map<string, bigint | number | string>()
  let characters = 0
  let categories: NamedCategory[] = []
  /** The indexes of new categories. A key stands for all names that differ in case and accents. */
  let indexes = new Map<string, number>()
  /** The names of all that are new, by the same keys. */
  const made = new Map<string, string>()

  function toResult(name: string, match: CategoryMatch): bigint | number | string {
    if (typeof match === 'bigint') {
      categories.push({ name, id: match })
      return match
    }
    if (match === 'ambiguous') return `Several categories are called ${quoted(name)}: give categoryId.`
    if (!create) return `No category is called ${quoted(name)}.`
    const key = foldedKeyOf(name)
    if (!made.has(key) && madeBefore + made.size >= maxNewCategories)
      return `No category is called ${quoted(name)}, and an import makes at most ${maxNewCategories}.`
    if (!made.has(key)) made.set(key, name)
    const index = indexes.get(key) ?? categories.push({ name: made.get(key) ?? name }) - 1
    indexes.set(key, index)
    return index
  }

  return {
    async find(names) {
      const unknown = [...new Set(names)].filter((name) => !found.has(name))
      if (unknown.length === 0) return
      for (const name of unknown) characters += name.length
      if (found.size + unknown.length > maxNames || characters > maxCharacters) throw tooManyNames()
      const matches = await imports.findCategories(unknown)
      const steps = loopSteps()
      for (const [at, name] of unknown.entries()) {
        found.set(name, toResult(name, matches[at] ?? 'missing'))
        if (steps.isOver()) await steps.next()
      }
    },

    settle(pet) {
      if (!('categoryName' in pet)) return pet
      const { categoryName, ...rest } = pet
      const result = found.get(categoryName)
      if (typeof result === 'bigint') return { ...rest, categoryId: result }
      if (typeof result === 'number') return { ...rest, categoryId: 0n, newCategory: result }
      return result ?? `${quoted(categoryName)} was not looked up.`
    },

    take() {
      const taken = categories
      found = new Map()
      characters = 0
      categories = []
      indexes = new Map()
      return taken
    },

    newNames: () => [...made.values()],
  }
}

const maxQuotedLength = 50

function quoted(name: string): string {
  return JSON.stringify(name.length > maxQuotedLength ? `${name.slice(0, maxQuotedLength).toWellFormed()}…` : name)
}

function tooManyNames(): PetStoreError {
  return new PetStoreError(
    'payload_too_large',
    `The file has too many animals to add all or nothing: they name more than ${maxNames} categories, or in more ` +
      `than ${maxCharacters / 1024 ** 2} Mi characters.`,
  )
}
