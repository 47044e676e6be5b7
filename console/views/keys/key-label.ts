import type { Key } from '../../../client/src/index.ts'
import { formatTime, shortName } from '../../components/format.ts'
import { hasNamesake, workingSuccessor } from '../../state/keys.ts'

/** What a key is called in a label: its name, and what tells it from another of the same name. */
export function labelOf(key: Key, keys: readonly Key[]): string {
  const name = shortName(key.name)
  if (!hasNamesake(key, keys)) return name
  if (workingSuccessor(key, keys) === undefined || key.expiresAt === undefined) return `${name}, ${key.id}`
  return `${name}, ${key.id}, old, ends ${formatTime(key.expiresAt)}`
}
