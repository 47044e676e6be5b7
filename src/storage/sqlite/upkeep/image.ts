import { loopSteps } from '../../../inventory/loop-steps.ts'
import type { AddedKind, Row, Snapshot } from '../../../inventory/snapshot.ts'
import { configureForWriting, connect } from '../connection/database.ts'
import { countRows } from '../schema/counts.ts'
import { migrate } from '../schema/migrate.ts'
import { prepareNameIndex } from '../schema/name-index.ts'
import { rowInserts, rowsPerInsert } from './insert-rows.ts'
import { snapshotOf } from './snapshot.ts'

export interface ImageContents {
  /** The rows by kind, in the order in which they are added. They must be valid: their ids are unique, for example. */
  rows: Partial<Record<AddedKind, readonly Row[]>>
  /** The highest ids ever assigned, where they are higher than those of the rows. */
  counters?: readonly Row[]
}

/** Makes the bytes of a database with these rows, for `openInMemory`. Works in steps of the event loop. */
export async function makeImage({ rows, counters = [] }: ImageContents): Promise<Uint8Array> {
  const db = connect(':memory:', { timeout: 0 })
  const steps = loopSteps()
  try {
    configureForWriting(db, ':memory:')
    migrate(db, ':memory:')
    db.exec('BEGIN')
    const { addRows } = rowInserts(db)
    for (const [kind, all] of Object.entries(rows) as [AddedKind, readonly Row[]][]) {
      for (let at = 0; at < all.length; at += rowsPerInsert) {
        addRows(kind, all.slice(at, at + rowsPerInsert))
        if (steps.isOver()) await steps.next()
      }
    }
    const words = prepareNameIndex(db)
    for (const [id, name] of rows.pets ?? []) {
      words.add(id as bigint, name as string)
      if (steps.isOver()) await steps.next()
    }
    countRows(db, 'pets')
    const set = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1')
    const add = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
    for (const [name, last] of counters as [string, bigint][]) {
      if (set.run(name, last).changes === 0n) add.run(name, last)
    }
    db.exec('COMMIT')
    return db.serialize()
  } finally {
    db.close()
  }
}

/** Opens the data of an image to read it. */
export function openImage(image: Uint8Array): Snapshot {
  const db = connect(':memory:', { timeout: 0 })
  db.deserialize(image)
  return snapshotOf(db)
}
