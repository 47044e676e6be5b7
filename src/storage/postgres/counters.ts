// While a transaction is open anywhere in the database, PostgreSQL keeps every version that a row has had since it began.
// A counter has one for each commit, and `name = 'pets'` would go through all of them from the oldest on: with every
// commit the next one would take longer. The newest is the last in the index. A range with an order is read from there.
// (An equality would do away with the order.)

type CounterName = 'pets' | 'orders' | 'events'

/** A query for the columns of a counter. */
export function counter(name: CounterName, columns = 'last'): string {
  return `SELECT ${columns} FROM counters WHERE name >= '${name}' AND name <= '${name}' ORDER BY name DESC LIMIT 1`
}

/** A condition on rows of `counters`. */
export function isCounter(...names: readonly CounterName[]): string {
  return `counters.ctid IN (${names.map((name) => `(${counter(name, 'ctid')})`).join(', ')})`
}
