import type { DatabaseSync } from 'node:sqlite'
import { encodePet, parseJson } from '../../contract/json.ts'
import type { NewPet, Pet } from '../../contract/pet.ts'
import type { Attempt } from '../../inventory/attempt.ts'
import type { Creation } from '../../inventory/pets.ts'
import { prepareRows } from './database.ts'

const attemptsAreKept = 24 * 60 * 60 * 1000

/** What the writer does to animals. Each runs inside a transaction of the writer's. */
export function petWrites(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)')
  insert.setReadBigInts(true)
  const findAttempt = prepareRows(
    db,
    'SELECT fingerprint, answer FROM attempts WHERE key_id = ? AND name = ? AND made_at > ?',
  )
  const rememberAttempt = db.prepare('INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?)')
  // Every new attempt sweeps out two old ones, so the table shrinks as it is used and nothing has to run on a timer.
  const forgetAttempts = db.prepare(`
    DELETE FROM attempts WHERE (key_id, name) IN
      (SELECT key_id, name FROM attempts WHERE made_at <= ? ORDER BY made_at LIMIT 2)`)

  function insertPet(pet: NewPet): Pet {
    const { lastInsertRowid } = insert.run(pet.name, pet.categoryId, pet.status ?? null)
    return { id: lastInsertRowid as bigint, ...pet }
  }

  return {
    createPet({ pet, attempt, at }: { pet: NewPet; attempt?: Attempt; at: number }): Creation {
      if (attempt === undefined) return { outcome: 'created', pet: insertPet(pet) }

      const { keyId, name, fingerprint } = attempt
      const before = findAttempt.get(keyId, name, at - attemptsAreKept) as [string, string] | undefined
      if (before !== undefined) {
        return before[0] === fingerprint ? { outcome: 'replayed', pet: decodePet(before[1]) } : { outcome: 'mismatch' }
      }
      const created = insertPet(pet)
      forgetAttempts.run(at - attemptsAreKept)
      rememberAttempt.run(keyId, name, fingerprint, encodePet(created), at)
      return { outcome: 'created', pet: created }
    },
  }
}

function decodePet(answer: string): Pet {
  const pet = parseJson(answer) as Omit<Pet, 'id' | 'categoryId'> & { id: number | bigint; categoryId: number | bigint }
  return { ...pet, id: BigInt(pet.id), categoryId: BigInt(pet.categoryId) }
}
