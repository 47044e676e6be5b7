import type { Key } from '../../client/src/index.ts'

/** What a permission is called: in a table, and in a sentence after “may”. */
export const permissionTexts: Record<Key['permission'], { short: string; afterMay: string }> = {
  read: { short: 'Look', afterMay: 'look at everything' },
  write: { short: 'Look and change', afterMay: 'look at everything and change it' },
  admin: { short: 'Everything, and manage keys', afterMay: 'look at everything, change it, and manage keys' },
}
