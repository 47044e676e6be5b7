import type { DatabaseSync } from 'node:sqlite'
import type { ImportPart } from '../../../inventory/imports.ts'
import { addImportPart, type ImportRecord, type ImportRefusal } from '../../../inventory/rules/add-import-part.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { type ResourceTable, type Resource, forEachResource } from '../../../inventory/tables.ts'
import { resourceRows, toStoredRow } from '../../shared/rows/resource-rows.ts'
import { recordTables } from '../../shared/writes/import-record.ts'
import { prepareRows } from '../connection/database.ts'
import { preparePut } from '../rules/changes.ts'
import { prepareFacts } from '../rules/facts.ts'

/** What is stored of an import beside its pets, inside its transaction. */
export function prepareImportRecord(db: DatabaseSync) {
  const facts = prepareFacts(db)
  const byName = prepareRows<Row>(db, `SELECT ${resourceRows.imports.columns} FROM imports WHERE name = ?`)
  const puts = forEachResource((table) => preparePut(db, table))

  return {
    /** Decides before the pets are added, and changes nothing. */
    settle(part: ImportPart, added: number, at: number): ImportRecord | ImportRefusal {
      const row = byName.get(part.name)
      return addImportPart(
        {
          known: row && resourceRows.imports.toItem(row),
          lastImportId: facts.nextId('imports') - 1n,
          lastRequestId: facts.nextId('import_requests') - 1n,
          lastPetId: facts.nextId('pets') - 1n,
          lastEventId: facts.lastEventId(),
          oldestEventId: facts.oldestEventId(),
        },
        part,
        added,
        at,
      )
    },

    store(record: ImportRecord): void {
      for (const table of recordTables)
        for (const item of record[table]) puts[table].run(...toStoredRow(table, item as Resource<ResourceTable>))
    },
  }
}
