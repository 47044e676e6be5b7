import type { PetStatus } from '../../client/src/index.ts'

export const petStatuses: readonly PetStatus[] = ['available', 'pending', 'sold']

/** The status of an animal, or `none`. */
export type StatusOrNone = PetStatus | 'none'

export const statusesOrNone: readonly StatusOrNone[] = [...petStatuses, 'none']
