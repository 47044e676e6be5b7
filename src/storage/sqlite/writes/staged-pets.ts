import type { DatabaseSync } from 'node:sqlite'
import { petMembers } from '../../../contract/pet.ts'
import type { ImportedPet } from '../../../inventory/imports.ts'
import { newPetColumns, toNewPetRow } from '../../shared/rows/pet-row.ts'

export interface StagedPets {
  /** Identifies the import: its pets are in a table of their own. */
  staging: string
  pets: readonly ImportedPet[]
}

const typedColumns = Object.values(petMembers)
  .slice(1)
  .map(({ column, type }) => `${column} ${type === 'text' ? 'TEXT' : 'INTEGER'}`)
  .join(', ')

/**
 * Puts pets into the temporary table of their import, which belongs to this connection and ends with it. Returns its
 * name. A rollback removes it.
 */
export function stagePets(db: DatabaseSync, { staging, pets }: StagedPets): string {
  const table = `temp.staged_${staging}`
  db.exec(`CREATE TABLE IF NOT EXISTS ${table} (${typedColumns}, new_category INTEGER) STRICT`)
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${newPetColumns.replace(/\w+/g, '?')}, ?)`)
  for (const pet of pets) insert.run(...toNewPetRow(pet), pet.newCategory ?? null)
  return table
}
