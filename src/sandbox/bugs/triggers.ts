import { DatabaseSync } from 'node:sqlite'

/** The image of a database with these triggers, in the place of those of other bugs. */
export function withTriggers(image: Uint8Array, triggers: string): Uint8Array {
  const db = new DatabaseSync(':memory:')
  try {
    db.deserialize(image)
    const others = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'bug_*'").all()
    for (const { name } of others) db.exec(`DROP TRIGGER "${name as string}"`)
    db.exec(triggers)
    return db.serialize()
  } finally {
    db.close()
  }
}
