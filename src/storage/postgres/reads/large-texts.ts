import type { Caller } from '../../../inventory/caller.ts'
import { maxComparedLength } from '../../../inventory/name-words.ts'
import { type MayRead, readWithin, type Sized } from '../../shared/reads/sized-read.ts'
import { petColumns, type PetRow } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/statement.ts'
import type { Reads } from './read.ts'

/**
 * Large names are read when there is room for them. So a statement returns their bytes in one more column, and in their
 * place NULL, or as much as a search compares.
 */
const isLarge = 'octet_length(name) > 1024'
const columnsWith = (largeName: string) =>
  `${petColumns.replace('name', `CASE WHEN ${isLarge} THEN ${largeName} ELSE name END AS name`)},
  CASE WHEN ${isLarge} THEN octet_length(name) END AS name_bytes`

export const inlineColumns = columnsWith('NULL')
export const comparedColumns = columnsWith(`left(name, ${maxComparedLength})`)

type SizedRow = readonly [...PetRow, nameBytes?: number | null]

function nameBytesOf(row: readonly unknown[]): number {
  return (row as SizedRow)[4] ?? 0
}

/** The bytes of the names that such rows do not have. */
function largeBytesOf(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((bytes, row) => bytes + nameBytesOf(row), 0)
}

/** A statement in both forms. */
export interface BothForms<Form> {
  inline: Form
  whole: Form
}

/** `make` gets the columns, and the beginning of the name of the statement. */
export function bothForms<Form>(make: (columns: string, prefix: string) => Form): BothForms<Form> {
  return { inline: make(inlineColumns, ''), whole: make(petColumns, 'whole_') }
}

/** Reads a page by one statement: without large names first, and whole when there is room for them. */
export async function readInForms<Page extends { rows: PetRow[] }>(
  caller: Caller | undefined,
  read: (form: keyof BothForms<unknown>) => Promise<Page>,
): Promise<Page> {
  const page = await read('inline')
  const bytes = largeBytesOf(page.rows)
  if (bytes === 0) return page
  return readWithin(caller, async (mayRead) => (mayRead(bytes) ? { page: await read('whole') } : { bytes }))
}

const names: Statement = { name: 'names', text: 'SELECT id, name FROM pets WHERE id = ANY ($1::int8[])' }

/** Rows with `comparedColumns`, and their whole names. Needs a held state in which the rows were read. */
export async function withWholeNames(
  { readUncounted }: Reads,
  rows: readonly PetRow[],
  mayRead: MayRead,
): Promise<Sized<PetRow[]>> {
  const bytes = largeBytesOf(rows)
  if (bytes === 0) return { page: [...rows] }
  if (!mayRead(bytes)) return { bytes }
  const large = rows.filter((row) => nameBytesOf(row) > 0).map(([id]) => id)
  const nameOf = new Map((await readUncounted(names, [large])).rows as [bigint, string][])
  return { page: rows.map(([id, name, ...others]) => [id, nameOf.get(id) ?? name, ...others]) }
}
