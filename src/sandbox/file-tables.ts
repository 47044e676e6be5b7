import { type CounterName, counterNames, type ResourceTable, resourceTables } from '../inventory/tables.ts'

/** A seed or a snapshot is shared and kept in repositories. Webhooks have secrets, so no such file has them. */
export type FileTable = Exclude<ResourceTable, 'webhooks'>
export type FileCounter = Exclude<CounterName, 'webhooks'>

export const fileTables = resourceTables.filter((table): table is FileTable => table !== 'webhooks')
export const fileCounters = counterNames.filter((name): name is FileCounter => name !== 'webhooks')

/** Makes something for each resource of a file. */
export function forEachFileTable<Value>(make: (table: FileTable) => Value): Record<FileTable, Value> {
  return Object.fromEntries(fileTables.map((table) => [table, make(table)])) as Record<FileTable, Value>
}
