import type { DatabaseSync } from 'node:sqlite'

/** Gives a database these triggers, in the place of those of other bugs. */
export function setTriggers(db: DatabaseSync, triggers: string): void {
  const others = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'bug_*'").all()
  for (const { name } of others) db.exec(`DROP TRIGGER "${name as string}"`)
  db.exec(triggers)
}
