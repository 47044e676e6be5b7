import type { CounterName } from '../../../inventory/tables.ts'

// While a transaction is open anywhere in the database, PostgreSQL keeps every version of a row since it began. A
// counter has one per commit, and `name = 'pets'` would visit all of them from the oldest on, so each commit would take
// longer than the one before. The newest version is the last in the index, and an ordered range is read from there. (An
// equality would remove the order.)

/** A query for columns of a counter. */
export function counter(name: CounterName, columns = 'last'): string {
  return `SELECT ${columns} FROM counters WHERE name >= '${name}' AND name <= '${name}' ORDER BY name DESC LIMIT 1`
}

/** A condition on rows of `counters`. */
export function isCounter(...names: readonly CounterName[]): string {
  return `counters.ctid IN (${names.map((name) => `(${counter(name, 'ctid')})`).join(', ')})`
}
