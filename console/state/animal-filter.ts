import type { BulkFilter } from '../../client/src/index.ts'
import { isId, isInt64, toInt64 } from '../api/int64.ts'
import type { Query } from './route.ts'
import { findTextOf } from './search-text.ts'
import { type StatusOrNone, statusesOrNone } from './statuses.ts'

/** Which animals are shown. */
export interface AnimalFilter {
  status?: StatusOrNone
  /** The digits of its id. */
  category?: string
  /** What is looked for; '' if nothing is. */
  find: string
}

/** The filter in the address, as far as it is valid: nothing else has an effect. */
export function animalFilterOf(query: Query): AnimalFilter {
  const status = statusesOrNone.find((one) => one === query['status'])
  const category = query['category']
  return {
    ...(status !== undefined && { status }),
    ...(category !== undefined && isInt64(category) && { category }),
    find: findTextOf(query),
  }
}

export function isFiltered({ status, category, find }: AnimalFilter): boolean {
  return status !== undefined || category !== undefined || find !== ''
}

/** The filter as the service is asked for it. */
export function petFilterOf({
  status,
  category,
  find,
}: AnimalFilter): Omit<BulkFilter, 'ids'> & { without?: 'status' } {
  return {
    ...(status === 'none' ? { without: 'status' as const } : status !== undefined && { status }),
    ...(category !== undefined && { categoryId: toInt64(category) }),
    ...(find !== '' && { name: find }),
  }
}

/** What a file of these animals has, as sentences. The service exports by name, not by number. */
export function exportScopeOf(filter: AnimalFilter): string {
  if (!isFiltered(filter)) return 'All animals of the shop.'
  const scope = 'All animals that match the filters, on all pages.'
  return isId(filter.find) ? `${scope} One that was found only by its number is left out.` : scope
}
