import { StorageError } from '../../shared/errors.ts'
import { urlsByHost, withoutPassword } from '../../shared/url.ts'

/** The location of a database and the features of the connection to it. */
export interface Server {
  /** The expected role. A replica may lag; a primary that has become a standby is refused. */
  role: 'primary' | 'replica'
  /** For the driver: one per host in the URL. */
  connectionStrings: readonly string[]
  /** For messages: without the password. */
  shown: string
  /**
   * Whether a connection keeps its session. Behind a pooler in transaction mode each transaction may have another
   * session, so nothing can be prepared or set for the next one.
   */
  keepsSession: boolean
}

/** The accepted values of `target_session_attrs` for each role. */
const agreeing: Record<Server['role'], readonly string[]> = {
  primary: ['any', 'primary', 'read-write'],
  replica: ['any', 'standby', 'prefer-standby', 'read-only'],
}

/**
 * Parses a postgres:// URL, which may name several hosts. `pooler=transaction` is ours, `target_session_attrs` is
 * libpq's; all other parameters are the driver's.
 */
export function readServer(url: string, role: Server['role'] = 'primary'): Server {
  const parsed = urlsByHost(url).map((each) => new URL(each))
  const choice = (name: string, allowed: readonly string[]) => {
    const value = parsed[0]?.searchParams.get(name) ?? allowed[0]
    for (const { searchParams } of parsed) searchParams.delete(name)
    if (value !== undefined && allowed.includes(value)) return value
    throw new StorageError(`The parameter ${name} of ${withoutPassword(url)} must be ${allowed.join(' or ')}.`)
  }
  const pooler = choice('pooler', ['none', 'transaction'])
  choice('target_session_attrs', agreeing[role])
  return {
    role,
    connectionStrings: parsed.map(({ href }) => href),
    shown: withoutPassword(url),
    keepsSession: pooler === 'none',
  }
}
