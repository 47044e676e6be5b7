import { type Connection, DatabaseError, Query } from 'pg'
import type { BoundStatement, NextStatements, Result } from './statement.ts'

type Callback = (error: Error | null, results: Result[]) => void

// Parts of the driver that its types lack: a query that collects the results of several statements, and a connection
// that knows its prepared statements, text by name.
interface DriverQuery {
  readonly _results: Result | Result[]
  /** A row that could not be parsed. The driver reports it at the end. */
  readonly _canceledDueToError: Error | false
  handleCommandComplete(message: unknown, connection: Connection): void
  handleError(error: Error, connection: Connection): void
}
type DriverConnection = Connection & { parsedStatements: Record<string, string> }
const DriverQuery = Query as unknown as new (
  config: { text: string; rowMode: 'array' },
  callback: Callback,
) => DriverQuery

/**
 * Statements with one Sync at their end: after the first failure the server skips the rest. The driver itself sends a
 * Sync after each statement; statements after a failed BEGIN would run outside of the transaction.
 *
 * With `next` there are two round trips and still one Sync: a Flush makes the server send the results of the first
 * statements, and it waits for the others in the middle of the same pipeline. Nothing else may be sent meanwhile.
 */
export class Pipeline extends DriverQuery {
  #statements: readonly BoundStatement[]
  #next: NextStatements | undefined
  /** The number of completed statements. */
  #completed = 0
  #isSynced = false

  constructor(statements: readonly BoundStatement[], next: NextStatements | undefined, callback: Callback) {
    super({ text: 'a pipeline', rowMode: 'array' }, callback)
    this.#statements = statements
    this.#next = next
  }

  /** Whether the last statement is completed. */
  get isCompleted(): boolean {
    return this.#next === undefined && this.#completed === this.#statements.length
  }

  /** Called by the driver. */
  submit(connection: Connection): void {
    this.#send(connection, this.#statements)
  }

  /** A statement that cannot be sent ends the connection, and so the transaction: a part of it may have been sent. */
  #send(connection: Connection, statements: readonly BoundStatement[]): void {
    try {
      this.#write(connection as DriverConnection, statements)
    } catch (error) {
      connection.stream.destroy(error as Error)
    }
  }

  #write(connection: DriverConnection, statements: readonly BoundStatement[]): void {
    const { stream, parsedStatements } = connection
    const sent = new Set(Object.keys(parsedStatements))
    stream.cork()
    for (const [{ name = '', text }, values = []] of statements) {
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
    if (this.#next === undefined) this.#sync(connection)
    else connection.flush()
    stream.uncork()
  }

  #sync(connection: Connection): void {
    if (!this.#isSynced) connection.sync()
    this.#isSynced = true
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const [{ name, text }] = this.#statements[this.#completed++] as BoundStatement
    if (name !== undefined) (connection as DriverConnection).parsedStatements[name] = text
    super.handleCommandComplete(message, connection)
    if (this.#next !== undefined && this.#completed === this.#statements.length) this.#sendNext(connection, this.#next)
  }

  #sendNext(connection: Connection, next: NextStatements): void {
    const { _results: results, _canceledDueToError: failure } = this
    if (failure) return void connection.stream.destroy(failure)
    const statements = next([results].flat())
    this.#next = undefined
    this.#statements = [...this.#statements, ...statements]
    this.#send(connection, statements)
  }

  override handleError(error: Error, connection: Connection): void {
    // The server skips everything until the Sync.
    if (error instanceof DatabaseError) this.#sync(connection)
    super.handleError(error, connection)
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
  if (typeof value !== 'string') return toText(value) ?? 'NULL'
  return /["\\]/.test(value) ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${value}"`
}
