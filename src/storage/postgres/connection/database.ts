import { Socket } from 'node:net'
import { Client, DatabaseError, types } from 'pg'
import { ConnectionLost, IsPrimary, IsStandby } from './errors.ts'
import { Pipeline } from './pipeline.ts'
import type { BoundStatement, NextStatements, Result, Statement } from './statement.ts'
import type { Server } from './server.ts'
import { sessionSettings, type Settings, setSql } from './settings.ts'

/** How long connecting may take while requests wait. A server that hangs accepts connections and says nothing. */
const usualConnectTimeoutMs = 1_500
/** How long the server may take to confirm that a connection ends. */
const endTimeoutMs = 1_500

/** One open connection, until it is lost. */
export interface Session {
  /**
   * Sends a statement and resolves to its result. Statements may be sent without waiting for earlier ones; the server
   * runs them in order, each on its own. Rejects with a ConnectionLost or with the database's error.
   */
  run(statement: Statement, values?: readonly unknown[]): Promise<Result>
  /**
   * Sends statements together, and then those that `next` makes of their results. The server runs them in order and
   * skips the rest after the first failure. Rejects with the database's error for that statement, or with a
   * ConnectionLost. With `next`, nothing else may be sent until it settles.
   */
  runAll(statements: readonly BoundStatement[], next?: NextStatements): Promise<Result[]>
  /** Sends everything that `send` sends in one write. */
  corked<Sent>(send: () => Sent): Sent
  /** Whether its settings stay for the next transaction; not behind a pooler. */
  readonly keepsSession: boolean
  readonly isLost: boolean
  /** The number of warnings, such as the one sent when the server stops waiting for a replica. */
  readonly warnings: number
  /** Drops the connection at once. Pending statements are rejected. */
  drop(reason: string): void
  /** Tells the server that the connection ends, after all results. An open transaction is rolled back. */
  end(): Promise<void>
  readonly client: Client
}

const isInRecovery: Statement = { text: 'SELECT pg_is_in_recovery()' }

const int8 = 20
// By default the driver returns 64-bit integers as text, to avoid rounding.
const exactTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? BigInt : types.getTypeParser(oid, format),
} as unknown as typeof types

export interface SessionOptions {
  /** Whether statements may be sent before earlier results. COPY does not allow it. */
  pipeline?: boolean
  /** Beside or instead of those of every session, if the session is kept. */
  settings?: Settings
  connectTimeoutMs?: number
}

function createClient(connectionString: string, pipeline: boolean, socket: Socket): Client {
  try {
    return new Client({
      connectionString,
      stream: () => socket,
      pipeline,
      types: exactTypes,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      fallback_application_name: 'petstore',
    })
  } catch (error) {
    // The driver reads the files in the URL, such as sslrootcert.
    throw new ConnectionLost('The database cannot be reached.', { cause: error })
  }
}

/** Connects to one host within the timeout. Rejects with a ConnectionLost for any reason. */
export async function connectTo(
  connectionString: string,
  { keepsSession, role }: Server,
  { pipeline = true, settings, connectTimeoutMs = usualConnectTimeoutMs }: SessionOptions,
): Promise<Session> {
  // Our own socket, so that a silent connection can be dropped without the driver.
  const socket = new Socket()
  const client = createClient(connectionString, pipeline, socket)
  let isLost = false
  let warnings = 0
  client.on('error', () => (isLost = true))
  client.on('end', () => (isLost = true))
  client.on('notice', ({ code }) => {
    if (code !== '00000') warnings++
  })

  let isGathering = false

  /** Everything sent in this tick goes out in one write: each write is a system call on both sides. */
  function gatherWrites(): void {
    if (isGathering) return
    isGathering = true
    socket.cork()
    process.nextTick(() => {
      isGathering = false
      socket.uncork()
    })
  }

  async function run({ name, text }: Statement, values: readonly unknown[] = []): Promise<Result> {
    gatherWrites()
    try {
      const prepared = keepsSession && name !== undefined ? { name } : {}
      return await client.query({ ...prepared, text, values: values as unknown[], rowMode: 'array' })
    } catch (error) {
      throw toFailure(error)
    }
  }

  function toFailure(error: unknown): unknown {
    if (!isLost || error instanceof DatabaseError) return error
    return new ConnectionLost('The connection to the database was lost.', { cause: error })
  }

  function runAll(statements: readonly BoundStatement[], next?: NextStatements): Promise<Result[]> {
    const asSent = (all: readonly BoundStatement[]) =>
      keepsSession ? all : all.map(([{ text }, values]) => [{ text }, values] as const)
    return new Promise((resolve, reject) => {
      const nextSent = next && ((results: readonly Result[]) => asSent(next(results)))
      const pipeline = new Pipeline(asSent(statements), nextSent, (error, results) => {
        if (error === null) resolve(results)
        else if (!pipeline.isCompleted) reject(toFailure(error))
        else reject(new ConnectionLost('The database failed after the last statement.', { cause: error }))
      })
      client.query(pipeline)
    })
  }

  function drop(reason: string): void {
    isLost = true
    socket.destroy(new Error(reason))
  }

  const timer = setTimeout(() => {
    isLost = true
    socket.destroy(Object.assign(new Error('The database does not answer.'), { code: 'ETIMEDOUT' }))
  }, connectTimeoutMs)
  try {
    await client.connect()
    const setting = keepsSession && run({ text: setSql({ ...sessionSettings, ...settings }, 'session') })
    const [recovery] = await Promise.all([run(isInRecovery), setting])
    const [isStandby] = recovery.rows[0] as [boolean]
    if (isStandby !== (role === 'replica')) throw isStandby ? new IsStandby() : new IsPrimary()
  } catch (error) {
    drop('The connection could not be made.')
    throw error instanceof ConnectionLost
      ? error
      : new ConnectionLost('The database cannot be reached.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
  return {
    client,
    keepsSession,
    run,
    runAll,
    drop,
    corked(send) {
      socket.cork()
      try {
        return send()
      } finally {
        socket.uncork()
      }
    },
    get isLost() {
      return isLost
    },
    get warnings() {
      return warnings
    },
    async end() {
      if (isLost) return
      const giveUp = setTimeout(() => drop('The database does not answer.'), endTimeoutMs)
      await client.end().catch(() => undefined)
      clearTimeout(giveUp)
    },
  }
}
