import type { DatabaseSync } from 'node:sqlite'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { maxComparedLength } from '../../../inventory/name-words.ts'
import type { MayRead, Sized } from '../../shared/reads/sized-read.ts'
import { petColumns, type PetRow } from '../../shared/rows/pet-row.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { decodeText, inlineText, textBytes } from './large-texts.ts'

/** A row whose name is another type. */
export type PetRowNamed<Name> = PetRow extends [infer Id, string, ...infer Others] ? [Id, Name, ...Others] : never

/** A row of a list. A large name is null, and so is that of a damaged row. */
export type InlinePetRow = PetRowNamed<string | null>

/** The columns of a list of many pets. */
export const inlineColumns = petColumns.replace('name', inlineText('name'))

export function isWhole(row: InlinePetRow): row is PetRow {
  return row[1] !== null
}

/** Reads pets with names of any size. */
export interface WholePets {
  /** The pets with these ids that exist, in this order. */
  rowsOf(ids: readonly bigint[]): InlinePetRow[]
  /** The rows with their names, in steps of the event loop. Needs a held state in which the rows were read. */
  complete(rows: readonly InlinePetRow[], mayRead: MayRead): Promise<Sized<PetRow[]>>
  /** A row with its name, however large. */
  withName(row: InlinePetRow): PetRow
  /** What a search and a sort compare of the name; undefined if the pet is gone. */
  comparedName(id: bigint): string | undefined
}

export function wholePets(reader: DatabaseSync): WholePets {
  const read = readsOf(reader)
  function of<Row extends readonly unknown[]>(expression: string) {
    return prepareRows<Row>(reader, `SELECT ${expression} FROM pets WHERE id = ?`)
  }
  const one = of<InlinePetRow>(inlineColumns)
  const size = of<[bigint | null]>('octet_length(name)')
  const name = of<[Uint8Array | null]>(textBytes('name'))
  const beginning = of<[Uint8Array]>(textBytes(`substr(name, 1, ${maxComparedLength})`))

  function bytesOf(rows: readonly InlinePetRow[]): number {
    let bytes = 0
    for (const row of rows) if (!isWhole(row)) bytes += Number(size.get(row[0])?.[0] ?? 0)
    return bytes
  }

  function withName(row: InlinePetRow): PetRow {
    if (isWhole(row)) return row
    const [id, , ...others] = row
    return [id, decodeText(name.get(id)?.[0] ?? null), ...others]
  }

  return {
    rowsOf: (ids) =>
      ids.flatMap((id) => {
        const row = one.get(id)
        return row === undefined ? [] : [row]
      }),
    async complete(rows, mayRead) {
      const bytes = await read(() => bytesOf(rows))
      if (bytes > 0 && !mayRead(bytes)) return { bytes }
      const steps = loopSteps()
      const page: PetRow[] = []
      for (const row of rows) {
        page.push(isWhole(row) ? row : await read(() => withName(row)))
        if (steps.isOver()) await steps.next()
      }
      return { page }
    },
    withName,
    comparedName(id) {
      const row = beginning.get(id)
      return row && decodeText(row[0])
    },
  }
}
