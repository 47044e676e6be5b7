import { StorageError } from '../shared/errors.ts'
import { withoutPassword } from '../shared/url.ts'

/** Where a database is and what may be asked of the way there. */
export interface Server {
  /** What is looked for at that address. A replica may lag behind; a primary that has become a standby is refused. */
  role: 'primary' | 'replica'
  /** For the driver. */
  connectionString: string
  /** For people: without the password. */
  shown: string
  /**
   * Whether a connection keeps its session. Behind a pooler in transaction mode every transaction may have another one,
   * so that nothing can be prepared or set for the next.
   */
  keepsSession: boolean
}

/** Reads a postgres:// URL. `pooler=transaction` is ours; all other parameters are the driver's. */
export function readServer(url: string, role: Server['role'] = 'primary'): Server {
  const parsed = new URL(url)
  const pooler = parsed.searchParams.get('pooler') ?? 'none'
  if (pooler !== 'none' && pooler !== 'transaction') {
    throw new StorageError(`The parameter pooler of ${withoutPassword(url)} must be none or transaction.`)
  }
  parsed.searchParams.delete('pooler')
  return { role, connectionString: parsed.href, shown: withoutPassword(url), keepsSession: pooler === 'none' }
}
