import { type Connection, Query } from 'pg'
import type { Result, Statement } from './database.ts'

export type BoundStatement = readonly [statement: Statement, values?: readonly unknown[] | undefined]

type Callback = (error: Error | null, results: Result[]) => void

// Parts of the driver that its types lack: a query that collects the results of several statements, and a connection
// that knows its prepared statements, text by name.
interface DriverQuery {
  handleCommandComplete(message: unknown, connection: Connection): void
}
type DriverConnection = Connection & { parsedStatements: Record<string, string> }
const DriverQuery = Query as unknown as new (
  config: { text: string; rowMode: 'array' },
  callback: Callback,
) => DriverQuery

/**
 * Statements with one Sync at their end: after the first failure the server skips the rest. The driver itself sends a
 * Sync after each statement; statements after a failed BEGIN would run outside of the transaction.
 */
export class Pipeline extends DriverQuery {
  /** The number of completed statements. */
  completed = 0
  readonly #statements: readonly BoundStatement[]

  constructor(statements: readonly BoundStatement[], callback: Callback) {
    super({ text: 'a pipeline', rowMode: 'array' }, callback)
    this.#statements = statements
  }

  /** Called by the driver. */
  submit(connection: Connection): void {
    const { stream, parsedStatements } = connection as DriverConnection
    const sent = new Set(Object.keys(parsedStatements))
    stream.cork()
    for (const [{ name = '', text }, values = []] of this.#statements) {
      if (!sent.has(name)) {
        // An earlier failure may have left a statement of this name. Closing a missing one is no error.
        if (name !== '') connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
        if (name !== '') sent.add(name)
      }
      connection.bind({ statement: name, values: (values as Value[]).map(toText) }, true)
      connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
    }
    connection.sync()
    stream.uncork()
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const [{ name, text }] = this.#statements[this.completed++] as BoundStatement
    if (name !== undefined) (connection as DriverConnection).parsedStatements[name] = text
    super.handleCommandComplete(message, connection)
  }
}

type Value = string | number | bigint | boolean | null | undefined | readonly Value[]

/**
 * A value in PostgreSQL's text format. Every text in an array is quoted, so that it cannot be read as NULL or as two
 * values.
 */
function toText(value: Value): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? `{${value.map(toElement).join(',')}}` : String(value)
}

function toElement(value: Value): string {
  const text = toText(value)
  return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`
}
