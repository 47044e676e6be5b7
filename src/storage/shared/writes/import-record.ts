import type { ImportRecord } from '../../../inventory/rules/add-import-part.ts'

/** The tables of a record, in the order in which they are stored. */
export const recordTables = ['imports', 'import_parts', 'import_requests'] as const satisfies (keyof ImportRecord)[]
