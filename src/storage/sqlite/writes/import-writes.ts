import type { DatabaseSync } from 'node:sqlite'
import { type NewPet, petMembers } from '../../../contract/pet.ts'
import type { ImportStep } from '../../../inventory/imports.ts'
import { jsonOfRow } from '../../shared/rows/json-sql.ts'
import { newPetColumns, toNewPetRow } from '../../shared/rows/pet-row.ts'
import { importStepSql, importStepWrite } from '../../shared/writes/import-steps.ts'
import { countRows } from '../schema/counts.ts'
import { prepareRows } from '../connection/database.ts'
import { indexNames } from '../schema/name-index.ts'

interface StagedPets {
  /** Identifies the import: its pets are in a table of their own. */
  staging: string
  pets: readonly NewPet[]
}

interface ImportedPets extends StagedPets {
  /** The number of pets that were staged before. */
  staged: number
  step?: ImportStep | undefined
  at: number
  author?: string | undefined
}

const typedColumns = Object.values(petMembers)
  .slice(1)
  .map(({ column, type }) => `${column} ${type === 'text' ? 'TEXT' : 'INTEGER'}`)
  .join(', ')

/**
 * The writes of imports. Each runs inside a transaction of the writer.
 * Pets are put into a temporary table, which belongs to this connection and ends with it. A few statements then add
 * all of them.
 */
export function importWrites(db: DatabaseSync) {
  const stepSql = importStepSql((number) => `?${number}`)
  const steps = { first: db.prepare(stepSql.first), next: db.prepare(stepSql.next) }
  const recordAdded = db.prepare(`
    INSERT INTO events (type, subject, at, data, author)
      SELECT 'pet.created', id, ?1, ${jsonOfRow(petMembers, (text) => `json_quote(${text})`)}, ?3
      FROM pets WHERE id > ?2 ORDER BY id`)
  const highestId = prepareRows(db, 'SELECT ifnull(max(id), 0) FROM pets')

  function isNext(step: ImportStep, at: number): boolean {
    const { which, values } = importStepWrite(step, at)
    return steps[which].run(...values).changes === 1
  }

  /** The table of an import. A rollback removes it. */
  function stage({ staging, pets }: StagedPets): string {
    const table = `temp.staged_${staging}`
    db.exec(`CREATE TABLE IF NOT EXISTS ${table} (${typedColumns}) STRICT`)
    const insert = db.prepare(`INSERT INTO ${table} VALUES (${newPetColumns.replace(/\w+/g, '?')})`)
    for (const pet of pets) insert.run(...toNewPetRow(pet))
    return table
  }

  function countOf(table: string): number {
    return Number((prepareRows(db, `SELECT count(*) FROM ${table}`).get() as unknown as [bigint])[0])
  }

  function addAll(table: string, at: number, author: string | undefined): void {
    const [before] = highestId.get() as unknown as [bigint]
    db.exec(`
      INSERT INTO pets (${newPetColumns}) SELECT ${newPetColumns} FROM ${table} ORDER BY rowid`)
    countRows(db, table)
    indexNames(db, before)
    recordAdded.run(at, before, author ?? null)
  }

  return {
    stagePets: (input: StagedPets): void => void stage(input),

    /**
     * Adds staged pets, then `pets`. 'lost' if not exactly `staged` pets were staged, false if the step does not replace
     * the stored one. Nothing is staged afterwards.
     */
    importPets(input: ImportedPets): boolean | 'lost' {
      const { pets, staged, step, at, author } = input
      const table = stage(input)
      const isWhole = countOf(table) === staged + pets.length
      const isAdded = isWhole && (step === undefined || isNext(step, at))
      if (isAdded) addAll(table, at, author)
      db.exec(`DROP TABLE ${table}`)
      return isWhole ? isAdded : 'lost'
    },

    discardStagedPets: (staging: string): void => db.exec(`DROP TABLE IF EXISTS temp.staged_${staging}`),
  }
}
