import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { NewPet } from '../../contract/pet.ts'
import type { ImportStep } from '../../inventory/imports.ts'
import { countRows, petTable } from './counts.ts'
import { prepareRows } from './database.ts'
import { indexNames } from './name-index.ts'

interface StagedPets {
  count: number
  step?: ImportStep
  at: number
  author?: string | undefined
}

/**
 * The writes of imports. Each runs inside a transaction of the writer.
 * Pets are staged in a temporary table, which belongs to this connection and ends with it. A few statements then add
 * all of them.
 */
export function importWrites(db: DatabaseSync) {
  const begin = db.prepare(`
    INSERT INTO imports (source, rows_done, finished) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET rows_done = excluded.rows_done, finished = excluded.finished WHERE finished = 1`)
  const goOn = db.prepare(`
    UPDATE imports SET rows_done = ?, finished = ? WHERE source = ? AND rows_done = ? AND finished = 0`)
  const forget = db.prepare('DELETE FROM imports WHERE source = ?')
  // The bytes of encodePet: json_quote escapes like JSON.stringify.
  const recordAdded = db.prepare(`
    INSERT INTO events (type, subject, at, data, author)
      SELECT 'pet.created', id, ?1, '{"id":' || id || ',"name":' || json_quote(name) || ',"categoryId":' || category_id ||
        CASE WHEN status IS NULL THEN '}' ELSE ',"status":"' || status || '"}' END, ?3
      FROM pets WHERE id > ?2 ORDER BY id`)
  const highestId = prepareRows(db, 'SELECT ifnull(max(id), 0) FROM pets')
  let stage: StatementSync | undefined

  // Created on demand: most services never import. Checked every time: a rollback removes the table.
  function makeStage(): void {
    db.exec('CREATE TEMP TABLE IF NOT EXISTS staged_pets (name TEXT, category_id INTEGER, status TEXT) STRICT')
  }

  function goesOn({ source, from, to, last }: ImportStep): boolean {
    const finished = last ? 1 : 0
    const { changes } = from === 0 ? begin.run(source, to, finished) : goOn.run(to, finished, source, from)
    return changes === 1
  }

  function addAll(at: number, author: string | undefined): void {
    const [before] = highestId.get() as unknown as [bigint]
    db.exec(`
      INSERT INTO ${petTable} (name, category_id, status)
        SELECT name, category_id, status FROM temp.staged_pets ORDER BY rowid`)
    countRows(db, 'temp.staged_pets')
    indexNames(db, before)
    recordAdded.run(at, before, author ?? null)
  }

  function discard(): void {
    db.exec('DELETE FROM temp.staged_pets')
  }

  return {
    stagePets(pets: readonly NewPet[]): void {
      makeStage()
      stage ??= db.prepare('INSERT INTO temp.staged_pets VALUES (?, ?, ?)')
      for (const { name, categoryId, status } of pets) stage.run(name, categoryId, status ?? null)
    },

    /**
     * 'lost' if not exactly `count` pets are staged, false if the step does not continue the last one. Nothing is
     * staged afterwards.
     */
    addStagedPets({ count, step, at, author }: StagedPets): boolean | 'lost' {
      makeStage()
      const [staged] = prepareRows(db, 'SELECT count(*) FROM temp.staged_pets').get() as unknown as [bigint]
      const isWhole = Number(staged) === count
      const isNext = isWhole && (step === undefined || goesOn(step))
      if (isNext) addAll(at, author)
      discard()
      return isWhole ? isNext : 'lost'
    },

    discardStagedPets(): void {
      makeStage()
      discard()
    },

    forgetImport(source: string): void {
      forget.run(source)
    },
  }
}
