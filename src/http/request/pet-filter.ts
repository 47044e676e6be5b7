import { int64FromText } from '../../contract/int64.ts'
import type { PetStatus } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { StatusFilter } from '../../inventory/pets.ts'

interface FilterQuery {
  status?: PetStatus
  without?: 'status'
  ids?: string
}

type Filter<Query> = Omit<Query, keyof FilterQuery> & { status?: StatusFilter; ids?: readonly bigint[] }

/**
 * The query of a list of pets, where `without=status` is the status `none`, and `ids` are numbers. Throws if it asks for
 * animals with and without a status.
 */
export function petFilterOf<Query extends FilterQuery>({ ids, ...query }: Query): Filter<Query> {
  const { status, without } = query
  if (without !== undefined && status !== undefined)
    throw new PetStoreError('invalid_parameter', 'without=status contradicts status: give one of the two.', {
      fields: ['status', 'without'],
    })
  return {
    ...(query as Omit<Query, keyof FilterQuery> & { status?: PetStatus }),
    ...(without !== undefined && { status: 'none' as const }),
    // No animal has an id above the highest int64.
    ...(ids !== undefined && { ids: ids.split(',').flatMap((id) => int64FromText(id) ?? []) }),
  }
}
