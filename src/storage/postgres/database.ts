import { Socket } from 'node:net'
import { Client, DatabaseError, type QueryArrayResult, types } from 'pg'
import { StorageError } from '../shared/errors.ts'
import type { Server } from './server.ts'

/** How long it may take to have a connection, in milliseconds. A server that hangs accepts them and says nothing. */
const connectTimeoutMs = 1_500

/** SQL and the name it is prepared under, if it is. */
export interface Statement {
  name?: string
  text: string
}

export type Result = QueryArrayResult

/** One connection that is there, until it is lost. */
export interface Session {
  /**
   * Sends a statement and resolves to its result. Statements may be sent without waiting for one another: they are run in
   * this order, each for itself. Rejects with a ConnectionLost or with what the database said.
   */
  run(statement: Statement, values?: readonly unknown[]): Promise<Result>
  /** Sends all that `send` sends in one piece. */
  together<Sent>(send: () => Sent): Sent
  readonly isLost: boolean
  /** How often the server warned of something, as it does when it no longer waits for a replica. */
  readonly warnings: number
  /** Lets go of the connection at once. Whatever waits for an answer is rejected. */
  drop(reason: string): void
  /** Says goodbye once all is answered. */
  end(): Promise<void>
  readonly client: Client
}

/** The connection could not be made, or ended before the answer came. What was asked may or may not have been done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/**
 * The server is a standby. A primary that was replaced may come back as one, with commits that no other server has and
 * that nobody was told of: whoever read from it would see what never happened.
 */
export class IsStandby extends Error {
  override readonly name = 'IsStandby'
  constructor() {
    super('The server is a standby.')
  }
}

const isInRecovery: Statement = { text: 'SELECT pg_is_in_recovery()' }

const int8 = 20
// By default integers of 64 bits come as text, lest they are rounded.
const exactTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? BigInt : types.getTypeParser(oid, format),
} as unknown as typeof types

export interface SessionOptions {
  /** Whether statements may be sent before the one before is answered. COPY cannot. */
  pipeline?: boolean
  /** What is to be in force on the connection, where it can be set. */
  settings?: string
}

/** Connects to one host. Rejects with a ConnectionLost, whatever the reason. */
export async function connectTo(
  connectionString: string,
  { keepsSession, role }: Server,
  { pipeline = true, settings }: SessionOptions,
): Promise<Session> {
  // Our own, so that a connection on which nothing comes can be dropped without asking anyone.
  const socket = new Socket()
  const client = new Client({
    connectionString,
    stream: () => socket,
    pipeline,
    types: exactTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    fallback_application_name: 'petstore',
  })
  let isLost = false
  let warnings = 0
  client.on('error', () => (isLost = true))
  client.on('end', () => (isLost = true))
  client.on('notice', ({ code }) => {
    if (code !== '00000') warnings++
  })

  let isGathering = false

  /** What is sent before this turn ends goes out in one piece: each piece is a call of the system, here and there. */
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
      throw isLost && !(error instanceof DatabaseError)
        ? new ConnectionLost('The connection to the database was lost.', { cause: error })
        : error
    }
  }

  function drop(reason: string): void {
    isLost = true
    socket.destroy(new Error(reason))
  }

  try {
    await client.connect()
    const [recovery] = await Promise.all([
      run(isInRecovery),
      ...(keepsSession && settings !== undefined ? [run({ text: settings })] : []),
    ])
    if (role === 'primary' && (recovery.rows[0] as [boolean])[0]) throw new IsStandby()
  } catch (error) {
    drop('The connection could not be made.')
    throw new ConnectionLost('The database cannot be reached.', { cause: error })
  }
  return {
    client,
    run,
    drop,
    together(send) {
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
      const giveUp = setTimeout(() => drop('The database does not answer.'), connectTimeoutMs)
      await client.end().catch(() => undefined)
      clearTimeout(giveUp)
    },
  }
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Whether the failure may pass by itself. By SQLSTATE: no connection (08), a conflict with another transaction (40), too
 * little of something (53), a lock that is held (55P03), the server going down or coming up, or a time limit (57), a disk
 * that fails (58), and a server that only reads (25006), as the old primary does after a failover.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  return error instanceof DatabaseError && /^(08|40|53|55P03|57|58|25006)/.test(error.code ?? '')
}

/** Whether a connection is of no more use after the failure: another one may reach a server that can. */
export function spoilsConnection(error: unknown): boolean {
  // 26000 and 42P05: a prepared statement is gone, or another's, because the session is not the one it was.
  return error instanceof DatabaseError && /^(08|57P|25006|26000|42P05)/.test(error.code ?? '')
}

/** Why a database cannot be used, in a sentence for the operator. */
export function explain({ shown }: Server, cause: unknown): StorageError {
  const what = `The database ${shown}`
  if (cause instanceof IsStandby) return new StorageError(`${what} has no primary at this address: a standby answers.`)
  switch (codeOf(cause)) {
    case 'ECONNREFUSED':
      return new StorageError(`${what} cannot be reached: nothing listens at that address.`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StorageError(`${what} cannot be reached: its host is not known.`)
    case '28P01':
    case '28000':
      return new StorageError(`${what} refuses the user or the password.`)
    case '3D000':
      return new StorageError(`${what} does not exist: create it with CREATE DATABASE.`)
    case '53300':
      return new StorageError(`${what} has no connection left: raise max_connections, or run fewer processes.`)
    default:
      return new StorageError(`${what} cannot be used: ${(cause as Error).message.replace(/\s*\n\s*/g, ' ')}.`)
  }
}
