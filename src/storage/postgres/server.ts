import { StorageError } from '../shared/errors.ts'
import { urlsByHost, withoutPassword } from '../shared/url.ts'

/** Where a database is and what may be asked of the way there. */
export interface Server {
  /** What is looked for at that address. A replica may lag behind; a primary that has become a standby is refused. */
  role: 'primary' | 'replica'
  /** For the driver: one for each host that the URL names. */
  connectionStrings: readonly string[]
  /** For people: without the password. */
  shown: string
  /**
   * Whether a connection keeps its session. Behind a pooler in transaction mode every transaction may have another one,
   * so that nothing can be prepared or set for the next.
   */
  keepsSession: boolean
}

/** The values of `target_session_attrs` that agree with what is looked for. The role decides, not they. */
const agreeing: Record<Server['role'], readonly string[]> = {
  primary: ['any', 'primary', 'read-write'],
  replica: ['any', 'standby', 'prefer-standby', 'read-only'],
}

/**
 * Reads a postgres:// URL, which may name several hosts. `pooler=transaction` is ours, `target_session_attrs` is libpq's
 * and known to people; all other parameters are the driver's.
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
