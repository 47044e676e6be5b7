import type { Pets } from '../../../inventory/pets.ts'
import type { Engine } from './engine.ts'

/** The writes of one pet. */
export function petWrites({
  write,
  clock,
}: Pick<Engine, 'write' | 'clock'>): Pick<Pets, 'create' | 'update' | 'remove'> {
  return {
    create: (pet, idempotencyKey, author) => write('createPet', { pet, at: clock(), author, idempotencyKey }),
    update: (id, change, precondition, author) => write('updatePet', { id, change, at: clock(), author, precondition }),
    remove: (id, precondition, author) => write('removePet', { id, at: clock(), author, precondition }),
  }
}
