import type { DatabaseSync } from 'node:sqlite'
import { encodePet, parseJson } from '../../contract/json.ts'
import type { NewPet, Pet, PetChange } from '../../contract/pet.ts'
import type { Attempt } from '../../inventory/idempotency-key.ts'
import type { Creation, Refusal } from '../../inventory/pets.ts'
import { isMet, type Precondition } from '../../inventory/precondition.ts'
import type { Attempts } from './idempotency.ts'
import { type PetCounts, petTable } from './counts.ts'
import { prepareRows } from './database.ts'
import type { RecordEvent } from './event-writes.ts'
import { petColumns, type PetRow, toPet } from '../shared/pet-row.ts'

/** What the writer does to animals. Each runs inside a transaction of the writer's. */
export function petWrites(db: DatabaseSync, counts: PetCounts, recordEvent: RecordEvent, attempts: Attempts) {
  const insert = db.prepare(`INSERT INTO ${petTable} (name, category_id, status) VALUES (?, ?, ?)`)
  insert.setReadBigInts(true)
  const one = prepareRows(db, `SELECT ${petColumns} FROM pets WHERE id = ?`)
  const openOrder = db.prepare("SELECT 1 FROM orders WHERE pet_id = ? AND status = 'placed'")
  const change = db.prepare(`UPDATE ${petTable} SET name = ?, category_id = ?, status = ? WHERE id = ?`)
  const remove = db.prepare(`DELETE FROM ${petTable} WHERE id = ?`)

  /** The animal, if there is one and it meets the precondition. */
  function findMeeting(precondition: Precondition = {}, id: bigint): Pet | Refusal {
    const row = one.get(id) as PetRow | undefined
    if (row === undefined) return { outcome: 'missing' }
    const pet = toPet(row)
    return isMet(precondition, encodePet(pet)) ? pet : { outcome: 'unmet' }
  }

  function isOrdered(id: bigint): boolean {
    return openOrder.get(id) !== undefined
  }

  return {
    createPet({ pet: asked, attempt, at }: { pet: NewPet; attempt?: Attempt; at: number }): Creation {
      const before = attempts.find(attempt, at)
      if (before === 'mismatch') return { outcome: 'mismatch' }
      if (before !== undefined) return { outcome: 'replayed', pet: decodePet(before.answer) }

      const { lastInsertRowid } = insert.run(asked.name, asked.categoryId, asked.status ?? null)
      const pet = { id: lastInsertRowid as bigint, ...asked }
      counts.add(pet.categoryId, pet.status)
      const answer = encodePet(pet)
      recordEvent('pet.created', pet.id, at, answer)
      attempts.remember(attempt, answer, at)
      return { outcome: 'created', pet }
    },

    updatePet(input: {
      id: bigint
      change: PetChange
      precondition?: Precondition
      at: number
    }): { outcome: 'updated'; pet: Pet } | Refusal {
      const current = findMeeting(input.precondition, input.id)
      if ('outcome' in current) return current
      const pet = changed(current, input.change)
      const data = encodePet(pet)
      if (data === encodePet(current)) return { outcome: 'updated', pet }
      if (pet.status !== current.status && isOrdered(pet.id)) return { outcome: 'ordered' }

      change.run(pet.name, pet.categoryId, pet.status ?? null, pet.id)
      counts.remove(current.categoryId, current.status)
      counts.add(pet.categoryId, pet.status)
      recordEvent('pet.updated', pet.id, input.at, data)
      return { outcome: 'updated', pet }
    },

    removePet(input: { id: bigint; precondition?: Precondition; at: number }): { outcome: 'removed' } | Refusal {
      const pet = findMeeting(input.precondition, input.id)
      if ('outcome' in pet) return pet
      if (isOrdered(pet.id)) return { outcome: 'ordered' }

      remove.run(pet.id)
      counts.remove(pet.categoryId, pet.status)
      recordEvent('pet.deleted', pet.id, input.at, encodePet(pet))
      return { outcome: 'removed' }
    },
  }
}

/** The animal with the members that the change names. */
function changed(pet: Pet, { name = pet.name, categoryId = pet.categoryId, status = pet.status }: PetChange): Pet {
  return toPet([pet.id, name, categoryId, status ?? null])
}

function decodePet(answer: string): Pet {
  const pet = parseJson(answer) as Omit<Pet, 'id' | 'categoryId'> & { id: number | bigint; categoryId: number | bigint }
  return { ...pet, id: BigInt(pet.id), categoryId: BigInt(pet.categoryId) }
}
