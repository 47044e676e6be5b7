import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { connectTo, type Session, type SessionOptions } from './database.ts'
import { codeOf, type ConnectionLost, explain, IsStandby } from './errors.ts'
import type { Server } from './server.ts'

/** How long a start waits for a server that is starting too. */
const startTimeoutMs = 3_000
/** How long the first connection may take: no request waits for it, and a busy server is no reason to refuse a start. */
const firstConnectTimeoutMs = 15_000
/**
 * Errors of a server that is starting, or that has no connection left because the process before this one still holds
 * its own.
 */
const startingCodes = new Set(['ECONNREFUSED', '57P03', '53300'])

/** Connects to one of the server's hosts. Rejects with a ConnectionLost for any reason. */
export function connect(server: Server, options: SessionOptions = {}): Promise<Session> {
  if (server.role === 'replica') return connectToReplica(server, options)
  return anyHost(server.connectionStrings.map((host) => connectTo(host, server, options)))
}

/** Makes the first connection. Waits a while for a server that is starting, and explains a failure in a sentence. */
export async function connectAtStart(server: Server, options?: SessionOptions): Promise<Session> {
  const deadline = performance.now() + startTimeoutMs
  for (;;) {
    try {
      return await connect(server, { connectTimeoutMs: firstConnectTimeoutMs, ...options })
    } catch (error) {
      const { cause } = error as ConnectionLost
      // A standby may be promoted soon, or the address may soon lead to the primary.
      const isStarting = cause instanceof IsStandby || startingCodes.has(codeOf(cause) ?? '')
      if (!isStarting || performance.now() > deadline) throw explain(server, cause)
      await sleep(250)
    }
  }
}

/** Resolves to the first connection. Tries all hosts at once, so that a host that hangs delays nothing. */
async function anyHost(attempts: readonly Promise<Session>[]): Promise<Session> {
  try {
    const first = await Promise.any(attempts)
    for (const attempt of attempts) {
      attempt.then(
        (session) => session === first || session.drop('Another host is used.'),
        () => undefined,
      )
    }
    return first
  } catch (error) {
    const { errors } = error as AggregateError & { errors: ConnectionLost[] }
    // An error of a server says most; a standby is at least reachable.
    const refused = errors.find(({ cause }) => cause instanceof DatabaseError)
    throw refused ?? errors.find(({ cause }) => cause instanceof IsStandby) ?? errors[0]
  }
}

let replicaConnections = 0

/** Spreads connections over the replicas: each starts with the next host and tries the others if it fails. */
async function connectToReplica(server: Server, options: SessionOptions): Promise<Session> {
  const hosts = server.connectionStrings
  const first = replicaConnections++ % hosts.length
  let failure: unknown
  for (const host of [...hosts.slice(first), ...hosts.slice(0, first)]) {
    try {
      return await connectTo(host, server, options)
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}
