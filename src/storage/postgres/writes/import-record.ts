import type { ImportPart } from '../../../inventory/imports.ts'
import { addImportPart, ImportRefused, type ImportRecord } from '../../../inventory/rules/add-import-part.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { type Resource, type ResourceTable } from '../../../inventory/tables.ts'
import { resourceRows, toStoredRow } from '../../shared/rows/resource-rows.ts'
import { recordTables } from '../../shared/writes/import-record.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { put } from '../rules/change-statements.ts'
import { counter, isCounter } from '../schema/counters.ts'
import { oldestEventSql } from '../schema/events.ts'

/** One row, also if no import has the name. */
const load: Statement = {
  text: `
    SELECT (${counter('imports')}), (${counter('import_requests')}), (${counter('pets')}), (${counter('events')}),
        (${oldestEventSql}), known.*
      FROM (SELECT 1) AS one LEFT JOIN (
        SELECT ${resourceRows.imports.columns} FROM imports WHERE name = $1) AS known ON true`,
}
const raise: Statement = {
  text: `
    UPDATE counters SET last = CASE name WHEN 'imports' THEN greatest(last, $1::int8) ELSE last + $2::int8 END
      WHERE ${isCounter('imports', 'import_requests')}`,
}

type LoadedRow = [...ids: [bigint, bigint, bigint, bigint, bigint], ...known: Row]

/** Decides what is stored of an import, with locked counters and before its pets are added. Changes nothing. */
export async function settleImportRecord(
  run: Session['run'],
  part: ImportPart,
  added: number,
  at: number,
): Promise<ImportRecord> {
  const [row] = (await run(load, [part.name])).rows as [LoadedRow]
  const [lastImportId, lastRequestId, lastPetId, lastEventId, oldestEventId, ...known] = row
  const record = addImportPart(
    {
      known: known[0] === null ? undefined : resourceRows.imports.toItem(known),
      lastImportId,
      lastRequestId,
      lastPetId,
      lastEventId,
      oldestEventId,
    },
    part,
    added,
    at,
  )
  if (typeof record === 'string') throw new ImportRefused(record)
  return record
}

export async function storeImportRecord(run: Session['run'], record: ImportRecord): Promise<void> {
  await run(raise, [record.imports[0].id, record.import_requests.length])
  for (const table of recordTables) {
    const rows = record[table].map((item) => toStoredRow(table, item as Resource<ResourceTable>))
    const columns = rows[0]?.map((_value, index) => rows.map((row) => row[index]))
    if (columns !== undefined) await run(put[table], columns)
  }
}
