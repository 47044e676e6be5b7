import type { Static } from 'typebox'
import { Inventory } from '../inventory.ts'
import type { Operation } from '../operation.ts'
import { cursor, limitOf, nameFilter, shortSearches, sort } from '../parameters.ts'
import { Type } from '../schema.ts'

export const GetInventoryQuery = Type.Object({
  limit: limitOf('categories'),
  name: nameFilter('categories', 'dogs'),
  sort: sort(
    ['id'],
    '`id`: all categories that have a name or animals, ascending by id. Without it, those with animals, the largest first.',
    'experimental',
  ),
  cursor: cursor(),
})
export type GetInventoryQuery = Static<typeof GetInventoryQuery>

export const getInventory = {
  id: 'getInventory',
  method: 'GET',
  path: '/store/inventory',
  summary: 'Count the animals',
  description:
    'Returns how many animals there are, by status and in the largest categories, all counted at the same moment. It ' +
    'takes the same time for any number of animals and categories. The `Link` header leads to the next categories, as in ' +
    'a list; each page is counted anew, so a category whose count changes meanwhile may come twice or not at all. ' +
    'With `sort=id`, each comes once, also those without animals. ' +
    `With \`name\`, the categories are those that \`GET /categories\` finds, in its order. ${shortSearches}`,
  permission: 'read',
  stability: 'beta',
  parameters: { query: GetInventoryQuery },
  success: {
    status: 200,
    description: 'The number of animals.',
    body: Inventory,
    headers: ['Link', 'Next-Cursor', 'ETag'],
  },
  errors: [],
} as const satisfies Operation
