import type { Static } from 'typebox'
import { Inventory } from '../inventory.ts'
import type { Operation } from '../operation.ts'
import { limitOf } from '../parameters.ts'
import { Type } from '../schema.ts'

export const GetInventoryQuery = Type.Object({ limit: limitOf('categories') })
export type GetInventoryQuery = Static<typeof GetInventoryQuery>

export const getInventory = {
  id: 'getInventory',
  method: 'GET',
  path: '/store/inventory',
  summary: 'Count the animals',
  description:
    'Returns how many animals there are, by status and in the largest categories, all counted at the same moment. It ' +
    'takes the same time for any number of animals and categories.',
  permission: 'read',
  stability: 'beta',
  parameters: { query: GetInventoryQuery },
  success: { status: 200, description: 'The number of animals.', body: Inventory, headers: ['ETag'] },
  errors: [],
} as const satisfies Operation
