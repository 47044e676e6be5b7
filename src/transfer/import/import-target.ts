import { createHash } from 'node:crypto'
import type { EarlierImport } from '../../contract/import-result.ts'
import type { ImportPart, Imports } from '../../inventory/imports.ts'
import { newImportId } from '../../inventory/stored-import.ts'
import type { RowPet } from '../formats/row-pet.ts'

/** An import, and whose it is. */
export type ImportTarget = Pick<ImportPart, 'name' | 'keyId' | 'keyName'>

/**
 * The id of an import that nobody has named. One that goes on keeps its own, unless it is not listed any more: the rest
 * of its pets gets another id, so that these can be listed and undone.
 */
export async function importIdFor(imports: Pick<Imports, 'find'>, own: string | undefined): Promise<string> {
  if (own === undefined) return newImportId()
  const known = await imports.find(own)
  const isOver = known?.isListed === false && known.undoStartedAt === undefined
  return isOver ? newImportId() : own
}

/** What a file tells of its import, beside its pets. `before`: of an import that is resumed. */
export function openImportTarget(target: ImportTarget | undefined, before: { isResumed: boolean; rejected: number }) {
  const digest = createHash('sha256')
  let pets = 0
  let counted = before.rejected
  let isFirst = !before.isResumed

  /** Of the pets, to know them if they come again. Undefined if there are none. */
  function digestOfPets(): string | undefined {
    return pets === 0 ? undefined : digest.copy().digest('base64url')
  }

  return {
    /** For the result. */
    importId: target && { importId: target.name },

    take(pet: RowPet): void {
      pets++
      digest.update(digested(pet))
    },

    /** With the next batch. `rejected`: all rows that were rejected so far. */
    part(rejected: number, isLast: boolean): ImportPart | undefined {
      if (target === undefined) return undefined
      const ending = isLast ? { isOnly: isFirst, digest: digestOfPets() } : {}
      const part = { ...target, rejected: rejected - counted, isLast, ...ending }
      counted = rejected
      isFirst = false
      return part
    },

    /** An import that has added the same pets before. */
    async earlier({ findByDigest }: Pick<Imports, 'findByDigest'>): Promise<EarlierImport | undefined> {
      const same = digestOfPets()
      const found = same === undefined ? undefined : await findByDigest(same, target?.name)
      return found && { importId: found.name, at: found.startedAt, keyname: found.keyName }
    },
  }
}

/** A pet as its row has it, unambiguous. The format of the file does not count. */
function digested({ name, status, ...category }: RowPet): string {
  const of = 'categoryName' in category ? [category.categoryName] : String(category.categoryId)
  return `${JSON.stringify([name, of, status])}\n`
}
