import type { OrderStatus } from './order.ts'
import type { PetStatus } from './pet.ts'

/** The status that an order gives to its animal, by its own status. */
export const petStatusAfter = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
} as const satisfies Record<OrderStatus, PetStatus>
