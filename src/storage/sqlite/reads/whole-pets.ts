import type { DatabaseSync } from 'node:sqlite'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { maxComparedLength } from '../../../inventory/name-words.ts'
import type { Pet } from '../../../contract/pet.ts'
import { petColumns, type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { decodeText, inlineText, textBytes } from './large-texts.ts'

/** A row whose name is another type. */
export type PetRowNamed<Name> = PetRow extends [infer Id, string, ...infer Others] ? [Id, Name, ...Others] : never

/** The columns of a list of many pets. Large names are null. */
export const inlineColumns = petColumns.replace('name', inlineText('name'))

/** Reads pets with names of any size, one by one. */
export interface WholePets {
  /**
   * The pets with these ids, in steps of the event loop. Those that were removed, or changed so that `isWanted` is false,
   * since their ids were read are left out, and so are those that cannot be read.
   */
  findAll(ids: readonly bigint[], isWanted: (pet: Pet) => boolean): Promise<Pet[]>
  /** What a search and a sort compare of the name; undefined if the pet is gone. */
  comparedName(id: bigint): string | undefined
}

export function wholePets(reader: DatabaseSync): WholePets {
  const read = readsOf(reader)
  const one = prepareRows(reader, `SELECT ${petColumns.replace('name', textBytes('name'))} FROM pets WHERE id = ?`)
  const beginning = prepareRows(
    reader,
    `SELECT ${textBytes(`substr(name, 1, ${maxComparedLength})`)} FROM pets WHERE id = ?`,
  )

  function find(id: bigint): Pet | undefined {
    const row = one.get(id) as unknown as PetRowNamed<Uint8Array> | undefined
    if (row === undefined) return undefined
    const [petId, name, ...others] = row
    return toPet([petId, decodeText(name), ...others])
  }

  return {
    async findAll(ids, isWanted) {
      const steps = loopSteps()
      const found: Pet[] = []
      for (const id of ids) {
        const [pet] = await read(() => decodeReadable([id], find))
        if (pet !== undefined && isWanted(pet)) found.push(pet)
        if (steps.isOver()) await steps.next()
      }
      return found
    },
    comparedName(id) {
      const row = beginning.get(id) as [Uint8Array] | undefined
      return row && decodeText(row[0])
    },
  }
}
