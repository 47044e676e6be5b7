import type { Row } from '../../../inventory/snapshot.ts'
import type { Session } from '../connection/database.ts'

const rowsPerFetch = 2_000

/** Streams the rows of a query in constant memory, inside a transaction. One at a time. */
export async function* readByCursor(session: Session, sql: string): AsyncGenerator<Row> {
  await session.run({ text: 'SAVEPOINT query' })
  try {
    await session.run({ text: `DECLARE checked NO SCROLL CURSOR FOR ${sql}` })
    for (let count = rowsPerFetch; count === rowsPerFetch; ) {
      const { rows } = await session.run({ text: `FETCH ${rowsPerFetch} FROM checked` })
      yield* rows as Row[]
      count = rows.length
    }
  } finally {
    // Ends the cursor or the failed statement.
    if (!session.isLost) await session.run({ text: 'ROLLBACK TO SAVEPOINT query' })
  }
}
