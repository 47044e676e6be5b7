import type { Keys } from '../../../inventory/keys.ts'
import type { Engine } from './engine.ts'

/** The writes of keys that apply a rule. */
export function keyWrites(write: Engine['write']): Pick<Keys, 'create' | 'rename' | 'revoke' | 'rotate'> {
  return {
    create: (key, by) => write('createKey', { ...key, by }),
    rename: (id, name, at, by) => write('renameKey', { id, name, at, by }),
    revoke: (id, at, by) => write('revokeKey', { id, at, by }),
    rotate: (id, replacement, until, by) => write('rotateKey', { id, replacement, until, by }),
  }
}
