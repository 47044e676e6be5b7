import { int64FromText } from '../../contract/int64.ts'
import type { PetStatus } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { StatusFilter } from '../../inventory/pets.ts'

interface FilterQuery {
  importId?: string
  sort?: string
  status?: PetStatus
  without?: 'status'
  ids?: string
}

type Filter<Query> = Omit<Query, 'status' | 'without' | 'ids'> & { status?: StatusFilter; ids?: readonly bigint[] }

/**
 * The query of a list of pets, where `without=status` is the status `none`, and `ids` are numbers. Throws if it asks for
 * animals with and without a status, or for another order of an import than by id.
 */
export function petFilterOf<Query extends FilterQuery>({ ids, ...query }: Query): Filter<Query> {
  const { status, without, importId, sort = 'id' } = query
  if (without !== undefined && status !== undefined)
    throw new PetStoreError('invalid_parameter', 'without=status contradicts status: give one of the two.', {
      fields: ['status', 'without'],
    })
  if (importId !== undefined && sort !== 'id')
    throw new PetStoreError('invalid_parameter', 'sort must be id, or left out, with importId.', { fields: ['sort'] })
  const filter = query as Omit<Query, 'status' | 'without' | 'ids'> & { status?: PetStatus }
  if (without === undefined && ids === undefined) return filter
  return {
    ...filter,
    ...(without !== undefined && { status: 'none' as const }),
    // No animal has an id above the highest int64.
    ...(ids !== undefined && { ids: ids.split(',').flatMap((id) => int64FromText(id) ?? []) }),
  }
}
