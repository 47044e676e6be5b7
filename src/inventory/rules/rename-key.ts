import type { KeyAdmin, KeyRenaming } from '../keys.ts'
import { mayChangeKeys } from './admin-keys.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RenameKey {
  id: string
  name: string
  at: number
  by?: KeyAdmin | undefined
}

/** An admin may rename every key, also one that has ended: its name is in the list for ever. */
export function renameKey(facts: Facts, { id, name, at, by }: RenameKey): Decision<KeyRenaming> {
  if (!mayChangeKeys(facts, by, at)) return unchanged({ outcome: 'unauthorized' })
  const key = facts.key(id)
  if (key === undefined) return unchanged({ outcome: 'missing' })
  if (key.name === name) return unchanged({ outcome: 'renamed', key })
  const renamed = { ...key, name }
  return changed({ outcome: 'renamed', key: renamed }, [{ type: 'key.changed', key: renamed }])
}
