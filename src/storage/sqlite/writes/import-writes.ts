import type { DatabaseSync } from 'node:sqlite'
import { petMembers } from '../../../contract/pet.ts'
import type { ImportPart, ImportStep, NamedCategory } from '../../../inventory/imports.ts'
import type { ImportRefusal } from '../../../inventory/rules/add-import-part.ts'
import { jsonOfRow } from '../../shared/rows/resource-rows.ts'
import { newPetColumns } from '../../shared/rows/pet-row.ts'
import type { CategoryRefusal } from '../../shared/writes/import-categories.ts'
import { importStepSql, importStepWrite } from '../../shared/writes/import-steps.ts'
import { countRows } from '../schema/counts.ts'
import type { DayCounts } from '../schema/day-counts.ts'
import { prepareOneRow } from '../connection/database.ts'
import { indexNames } from '../schema/name-index.ts'
import { importCategories } from './import-categories.ts'
import { prepareImportRecord } from './import-record.ts'
import { type StagedPets, stagePets } from './staged-pets.ts'
import { ofKind } from './write-kind.ts'

interface AddedPets extends StagedPets {
  /** The number of pets that were staged before. */
  staged: number
  step?: ImportStep | undefined
  categories?: readonly NamedCategory[] | undefined
  part?: ImportPart | undefined
  at: number
  author?: string | undefined
}

type AddedOutcome = boolean | 'lost' | CategoryRefusal | { refusal: ImportRefusal }

/**
 * The writes of imports. Each runs inside a transaction of the writer.
 * Pets are put into a temporary table. A few statements then add all of them.
 */
export function importWrites(db: DatabaseSync, days: DayCounts) {
  const stepSql = importStepSql((number) => `?${number}`)
  const steps = { first: db.prepare(stepSql.first), next: db.prepare(stepSql.next) }
  const recordAdded = db.prepare(`
    INSERT INTO events (type, subject, at, data, author)
      SELECT 'pet.created', id, ?1, ${jsonOfRow(petMembers, (text) => `json_quote(${text})`)}, ?3
      FROM pets WHERE id > ?2 ORDER BY id`)
  const highestId = prepareOneRow<[bigint]>(db, 'SELECT ifnull(max(id), 0) FROM pets')
  const categoriesOf = importCategories(db)
  const importRecord = prepareImportRecord(db)

  function isNext(step: ImportStep, at: number): boolean {
    const { which, values } = importStepWrite(step, at)
    return steps[which].run(...values).changes === 1n
  }

  function countOf(table: string): number {
    return Number(prepareOneRow<[bigint]>(db, `SELECT count(*) FROM ${table}`).get()[0])
  }

  function addAll(table: string, at: number, author: string | undefined): void {
    const [before] = highestId.get()
    db.exec(`
      INSERT INTO pets (${newPetColumns}) SELECT ${newPetColumns} FROM ${table} ORDER BY rowid`)
    countRows(db, table)
    indexNames(db, before)
    days.add('pet.created', at, Number(recordAdded.run(at, before, author ?? null).changes))
  }

  /** Nothing is changed unless all is added. */
  function addStaged(table: string, input: AddedPets): AddedOutcome {
    const { pets, staged, step, categories = [], part, at, author } = input
    if (countOf(table) !== staged + pets.length) return 'lost'
    const settled = categories.length === 0 ? undefined : categoriesOf.settle(table, categories)
    if (typeof settled === 'string') return settled
    const record = part && importRecord.settle(part, staged + pets.length, at)
    if (typeof record === 'string') return { refusal: record }
    if (step !== undefined && !isNext(step, at)) return false
    if (settled !== undefined) categoriesOf.store(table, settled)
    addAll(table, at, author)
    if (record !== undefined) importRecord.store(record)
    return true
  }

  return {
    ...ofKind('staging', {
      stagePets: (input: StagedPets): void => void stagePets(db, input),
      discardStagedPets: (staging: string): void => db.exec(`DROP TABLE IF EXISTS temp.staged_${staging}`),
    }),

    /**
     * Adds staged pets, then `pets`. 'lost' if not exactly `staged` pets were staged, false if the step does not replace
     * the stored one, or why a category or the import cannot be used. Nothing is staged afterwards.
     */
    importPets(input: AddedPets): AddedOutcome {
      const table = stagePets(db, input)
      const added = addStaged(table, input)
      db.exec(`DROP TABLE ${table}`)
      return added
    },
  }
}

const names: Record<keyof ReturnType<typeof importWrites>, true> = {
  stagePets: true,
  discardStagedPets: true,
  importPets: true,
}

/** Whether the duration of this write depends on the number of rows. */
export function isImportWrite(name: string): boolean {
  return Object.hasOwn(names, name)
}
