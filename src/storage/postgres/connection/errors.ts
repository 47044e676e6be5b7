import { DatabaseError } from 'pg'
import { StorageError } from '../../shared/errors.ts'
import type { Server } from './server.ts'

/** The connection failed or ended before the result. The statement may have been executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** The server's error as it is; any other one is an error of the connection. */
export function toLost(error: unknown): Error {
  if (error instanceof DatabaseError) return error
  return new ConnectionLost('The connection to the database was lost.', { cause: error })
}

/** A transaction failed and was rolled back: nothing is stored. The cause is the database's error. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack'
  constructor(cause: unknown) {
    super('The transaction was rolled back.', { cause })
  }
}

/**
 * The server is a standby. A replaced primary may come back as one, with unacknowledged commits that no other server
 * has; reading from it would show changes that never happened.
 */
export class IsStandby extends Error {
  override readonly name = 'IsStandby'
  readonly code = 'IS_STANDBY'
  constructor() {
    super('The server is a standby.')
  }
}

/** The server is a primary, but a replica was expected. */
export class IsPrimary extends Error {
  override readonly name = 'IsPrimary'
  constructor() {
    super('The server is a primary.')
  }
}

/** The meaning of a failure for the caller, for the connection, and for an operator who starts the service. */
interface FailureKind {
  /** A retry may succeed: `unavailable`. Otherwise the failure is a bug, or work for the operator. */
  isTransient?: boolean
  /** The connection is unusable; a new one, to this server or another, may work. */
  spoilsConnection?: boolean
  /** Follows "The database NAME ". */
  sentence?: string | ((message: string) => string)
}

const bug: FailureKind = {}
const passes: FailureKind = { isTransient: true }
const reconnects: FailureKind = { isTransient: true, spoilsConnection: true }

const untrusted: FailureKind = {
  sentence: (message) => `has a certificate that is not trusted (${message}): name its authority with sslrootcert`,
}
const unreadable: FailureKind = {
  sentence: (message) => `cannot be used: a file that its URL names is missing: ${message}`,
}
const silent: FailureKind = { sentence: 'cannot be reached: no response from that address' }
const unknownHost: FailureKind = { sentence: 'cannot be reached: its host name is unknown' }

/** What PostgreSQL, and the services that sell it, say of a connection without TLS. */
const withoutTls = /no encryption|SSL off|SSL connection is required|insecure/i

/** A server that demands TLS says no more than that it knows no entry for this connection. */
function refusedLogin(message: string, advice?: string): string {
  const refused = `refuses the login: ${message}`
  if (withoutTls.test(message)) {
    const tls = 'If it demands TLS, add ?sslmode=verify-full&sslrootcert=FILE to the URL (docs/postgresql.md)'
    return `${refused}. ${tls}${advice === undefined ? '' : `; otherwise ${advice}`}`
  }
  return advice === undefined ? refused : `${refused}. To let it in, ${advice}`
}

/**
 * Looked up by code and origin (the server's routine or the system call), by code, or by the class of an SQLSTATE, its
 * first two characters. Covers every class of PostgreSQL.
 */
const kinds: Readonly<Record<string, FailureKind>> = {
  '03': bug, // SQL statement not yet complete
  '08': reconnects, // connection exception, also what poolers say when they have no server
  '09': bug, // triggered action exception
  '0A': bug, // feature not supported
  // "cached plan must not change result type": the type of a column changed. A new connection plans again.
  '0A000 RevalidateCachedQuery': reconnects,
  '0B': bug, // invalid transaction initiation
  '0F': bug, // locator exception
  '0L': bug, // invalid grantor
  '0P': bug, // invalid role specification
  '0Z': bug, // diagnostics exception
  '10': bug, // XQuery error
  '20': bug, // case not found
  '21': bug, // cardinality violation
  '22': bug, // data exception
  '23': bug, // integrity constraint violation
  '24': bug, // invalid cursor state
  '25': bug, // invalid transaction state
  // A server that only reads, as the old primary does after a failover.
  '25006': { ...reconnects, sentence: (message) => `takes no writes: the server says "${message}"` },
  '25P02': reconnects, // the session is inside a transaction that failed
  '25P03': reconnects, // the server ended the session: idle in a transaction for too long
  '25P04': reconnects, // the same for a transaction that lasted too long
  '26': reconnects, // a prepared statement is gone: the session is not the one it was
  '27': bug, // triggered data change violation
  '28': { sentence: (message) => refusedLogin(message) }, // invalid authorization specification
  '28000 ClientAuthentication': {
    sentence: (message) => refusedLogin(message, 'allow this user from this address in its pg_hba.conf'),
  },
  '28000 InitializeSessionUserId': {
    sentence: (message) => `refuses the login: ${message}. Make the user with CREATE ROLE … LOGIN`,
  },
  '28P01': { sentence: 'refuses the password, or has no such user' },
  '2B': bug, // dependent privilege descriptors still exist
  '2D': bug, // invalid transaction termination
  '2F': bug, // SQL routine exception
  '34': bug, // invalid cursor name
  '38': bug, // external routine exception
  '39': bug, // external routine invocation exception
  '3B': bug, // savepoint exception
  '3D': { sentence: 'does not exist: create it with CREATE DATABASE' }, // invalid catalog name
  '3F': bug, // invalid schema name
  '40': passes, // transaction rollback: a conflict with another transaction
  '42': bug, // syntax error or access rule violation
  '42501': { sentence: (message) => `lacks a grant for this user: ${message}. docs/postgresql.md lists all of them` },
  '42P05': reconnects, // a prepared statement is another's: the session is not the one it was
  '44': bug, // WITH CHECK OPTION violation
  '53': passes, // insufficient resources: disk, memory, connections
  '53300': { ...passes, sentence: 'has no connection left: raise max_connections, or run fewer processes' },
  '54': bug, // program limit exceeded
  '55': bug, // object not in prerequisite state
  '55P03': passes, // a lock that another transaction holds
  '57': passes, // operator intervention: a statement was cancelled or took too long
  '57P01': reconnects, // the server stops
  '57P02': reconnects, // the server crashed
  '57P03': { ...reconnects, sentence: 'does not take connections yet: it is starting, stopping or recovering' },
  '57P04': reconnects, // the database was dropped
  '57P05': reconnects, // the session was idle for too long
  '58': passes, // system error: a disk that fails
  F0: bug, // configuration file error
  HV: bug, // foreign data wrapper error
  P0: bug, // raised by a function that is not ours
  XX: bug, // internal error, corrupted data

  IS_STANDBY: { sentence: 'is a standby: use the address of the primary' },
  ECONNREFUSED: { sentence: 'cannot be reached: nothing listens at that address' },
  'ENOENT connect': { sentence: 'cannot be reached: there is no such socket' },
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  ENOENT: unreadable,
  EACCES: unreadable,
  EISDIR: unreadable,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

function kindOf(error: unknown): FailureKind {
  const code = codeOf(error) ?? ''
  const { routine, syscall } = error as { routine?: string; syscall?: string }
  return (
    kinds[`${code} ${routine ?? syscall}`] ??
    kinds[code] ??
    (error instanceof DatabaseError ? kinds[code.slice(0, 2)] : undefined) ??
    bug
  )
}

/** Whether the failure may be temporary. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  return error instanceof DatabaseError && kindOf(error).isTransient === true
}

/** Whether the connection is unusable after the failure. */
export function spoilsConnection(error: unknown): boolean {
  return error instanceof DatabaseError && kindOf(error).spoilsConnection === true
}

/** Why a database cannot be used, as a sentence for the operator. */
export function explain({ shown }: Server, cause: unknown): StorageError {
  const message = messageOf(cause)
  const { sentence = `cannot be used: ${message}` } = kindOf(cause ?? {})
  return new StorageError(`The database ${shown} ${typeof sentence === 'string' ? sentence : sentence(message)}.`, {
    cause,
  })
}

/** Why a replica is not read, after its name. If the server refused something, in its own words. */
export function explainReplica(cause: unknown): string {
  if (cause instanceof IsPrimary) return 'is a primary'
  if (cause instanceof DatabaseError) return `cannot be read: the server says "${messageOf(cause)}"`
  const kind = kindOf(cause ?? {})
  const { sentence } = kind
  if (sentence === undefined || kind === silent) return 'does not answer'
  return typeof sentence === 'string' ? sentence : sentence(messageOf(cause))
}

function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')
}
