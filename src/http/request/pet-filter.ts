import type { PetStatus } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { StatusFilter } from '../../inventory/pets.ts'

interface StatusQuery {
  status?: PetStatus
  without?: 'status'
}

/** The query of a list of pets, where `without=status` is the status `none`. Throws if it asks for a status, too. */
export function petFilterOf<Query extends StatusQuery>(
  query: Query,
): Omit<Query, keyof StatusQuery> & { status?: StatusFilter } {
  if (query.without === undefined) return query
  if (query.status !== undefined)
    throw new PetStoreError('invalid_parameter', 'without=status contradicts status: give one of the two.', {
      fields: ['status', 'without'],
    })
  return { ...query, status: 'none' }
}
