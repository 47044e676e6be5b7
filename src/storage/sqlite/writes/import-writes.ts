import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type NewPet, petMembers } from '../../../contract/pet.ts'
import type { ImportStep, KeyedStep } from '../../../inventory/imports.ts'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { idempotencyColumns, toIdempotencyRow } from '../../shared/rows/idempotency-row.ts'
import { jsonOfRow } from '../../shared/rows/json-sql.ts'
import { newPetColumns, toNewPetRow } from '../../shared/rows/pet-row.ts'
import { countRows } from '../schema/counts.ts'
import { prepareRows } from '../connection/database.ts'
import { indexNames } from '../schema/name-index.ts'

interface StagedPets {
  count: number
  step?: ImportStep
  at: number
  author?: string | undefined
}

interface ImportedPets {
  pets: readonly NewPet[]
  step?: KeyedStep | undefined
  at: number
  author?: string | undefined
}

/**
 * The writes of imports. Each runs inside a transaction of the writer.
 * Pets are put into a temporary table, which belongs to this connection and ends with it. A few statements then add
 * all of them.
 */
export function importWrites(db: DatabaseSync) {
  const begin = db.prepare(`
    INSERT INTO imports (source, rows_done, finished) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET rows_done = excluded.rows_done, finished = excluded.finished WHERE finished = 1`)
  const resume = db.prepare(`
    UPDATE imports SET rows_done = ?, finished = ? WHERE source = ? AND rows_done = ? AND finished = 0`)
  const beginKeyed = db.prepare(`
    INSERT INTO idempotency_records (${idempotencyColumns}) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT DO UPDATE SET fingerprint = ?3, response = ?4, created_at = ?5 WHERE created_at <= ?6`)
  const resumeKeyed = db.prepare(`
    UPDATE idempotency_records SET fingerprint = ?3, response = ?4, created_at = ?5
      WHERE key_id = ?1 AND name = ?2 AND fingerprint = ?6`)
  const forget = db.prepare('DELETE FROM imports WHERE source = ?')
  const recordAdded = db.prepare(`
    INSERT INTO events (type, subject, at, data, author)
      SELECT 'pet.created', id, ?1, ${jsonOfRow(petMembers, (text) => `json_quote(${text})`)}, ?3
      FROM pets WHERE id > ?2 ORDER BY id`)
  const highestId = prepareRows(db, 'SELECT ifnull(max(id), 0) FROM pets')
  const staged = temporaryPets(db, 'staged_pets')
  // Another table: a batch of one import must not meet what another one has staged.
  const imported = temporaryPets(db, 'imported_pets')

  function recordStep({ source, from, to, last }: ImportStep): boolean {
    const finished = last ? 1 : 0
    const { changes } = from === 0 ? begin.run(source, to, finished) : resume.run(to, finished, source, from)
    return changes === 1
  }

  function recordKeyedStep({ key, before, body }: KeyedStep, at: number): boolean {
    const row = toIdempotencyRow(key, body, at)
    const { changes } =
      before === undefined ? beginKeyed.run(...row, at - idempotencyRetentionMs) : resumeKeyed.run(...row, before)
    return changes === 1
  }

  function addAll({ table }: TemporaryPets, at: number, author: string | undefined): void {
    const [before] = highestId.get() as unknown as [bigint]
    db.exec(`
      INSERT INTO pets (${newPetColumns}) SELECT ${newPetColumns} FROM ${table} ORDER BY rowid`)
    countRows(db, table)
    indexNames(db, before)
    recordAdded.run(at, before, author ?? null)
  }

  return {
    stagePets: (pets: readonly NewPet[]): void => staged.insert(pets),

    /**
     * 'lost' if not exactly `count` pets are staged, false if the step does not continue the last one. Nothing is
     * staged afterwards.
     */
    addStagedPets({ count, step, at, author }: StagedPets): boolean | 'lost' {
      const isWhole = staged.count() === count
      const isNext = isWhole && (step === undefined || recordStep(step))
      if (isNext) addAll(staged, at, author)
      staged.clear()
      return isWhole ? isNext : 'lost'
    },

    discardStagedPets: (): void => staged.clear(),

    /** False if the step does not continue the stored one. */
    importPets({ pets, step, at, author }: ImportedPets): boolean {
      if (step !== undefined && !recordKeyedStep(step, at)) return false
      imported.insert(pets)
      addAll(imported, at, author)
      imported.clear()
      return true
    },

    forgetImport(source: string): void {
      forget.run(source)
    },
  }
}

interface TemporaryPets {
  /** The name of the table. */
  table: string
  insert(pets: readonly NewPet[]): void
  count(): number
  clear(): void
}

const typedColumns = Object.values(petMembers)
  .slice(1)
  .map(({ column, type }) => `${column} ${type === 'text' ? 'TEXT' : 'INTEGER'}`)
  .join(', ')

/** A temporary table of pets. Created on demand: most services never import. */
function temporaryPets(db: DatabaseSync, name: string): TemporaryPets {
  const table = `temp.${name}`
  let insertion: StatementSync | undefined

  // Every time: a rollback removes the table.
  function create(): void {
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${name} (${typedColumns}) STRICT`)
  }

  return {
    table,
    insert(pets) {
      create()
      insertion ??= db.prepare(`INSERT INTO ${table} VALUES (${newPetColumns.replace(/\w+/g, '?')})`)
      for (const pet of pets) insertion.run(...toNewPetRow(pet))
    },
    count() {
      create()
      return Number((prepareRows(db, `SELECT count(*) FROM ${table}`).get() as unknown as [bigint])[0])
    },
    clear() {
      create()
      db.exec(`DELETE FROM ${table}`)
    },
  }
}
