import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { removeAbandoned } from '../../storage/shared/atomic-file.ts'
import { readDatabaseUrl } from '../../storage/shared/url.ts'
import { lineagesOf } from '../../storage/sqlite/upkeep/backup-file.ts'

export interface BackupFile {
  path: string
  /** When the backup was begun, in milliseconds since 1970. */
  at: number
}

export type BackupFiles = ReturnType<typeof backupFiles>

/**
 * The scheduled backups of a database in a folder, by name: `petstore-2027-01-31T06-00-00Z.db` for `petstore.db`. Other
 * files in the folder are nobody's business. Nor are backups that share no lineage with the database: another database
 * has the same file name, or this one was lost and begun anew.
 */
export function backupFiles(folder: string, databaseUrl: string) {
  const { path } = readDatabaseUrl(databaseUrl) as { path: string }
  const { name: database } = parse(path)
  /** By path. A backup does not change. */
  const lineages = new Map<string, string[]>()

  function isOurs(backup: string, ours: ReadonlySet<string>): boolean {
    const its = lineages.get(backup) ?? lineagesOf(backup)
    lineages.set(backup, its)
    return its.length === 0 || its.some((id) => ours.has(id))
  }

  function timeIn(name: string, ending: string): number | undefined {
    if (!name.startsWith(`${database}-`) || !name.endsWith(ending)) return undefined
    const text = name.slice(database.length + 1, -ending.length)
    const [, day, hour, minute, second] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/.exec(text) ?? []
    const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(at) ? undefined : at
  }

  return {
    fileAt: (at: number) =>
      join(folder, `${database}-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`),

    /** Complete backups, the oldest first. */
    async list(): Promise<BackupFile[]> {
      const found: BackupFile[] = []
      const ours = new Set(lineagesOf(path))
      for (const name of await readdir(folder)) {
        const at = timeIn(name, '.db')
        const file = join(folder, name)
        if (at !== undefined && isOurs(file, ours)) found.push({ path: file, at })
      }
      return found.toSorted((a, b) => a.at - b.at)
    },

    /** Removes what a backup that was killed left behind. */
    async removePartial(): Promise<void> {
      await removeAbandoned(folder, (name) => timeIn(name, '.db') !== undefined, true)
    },
  }
}
