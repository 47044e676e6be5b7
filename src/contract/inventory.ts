import type { Static } from 'typebox'
import { CategoryName } from './category.ts'
import { id } from './parameters.ts'
import { Int64, Type } from './schema.ts'
import { encodeList, encodeText } from './json.ts'

function animals(which: string, example: number) {
  return Type.Unsafe<bigint>({ ...Int64, minimum: 0, description: `How many animals ${which}.`, examples: [example] })
}

const byStatus = {
  available: animals('are `available`', 2),
  pending: animals('are `pending`', 1),
  sold: animals('are `sold`', 0),
  none: animals('have no status', 0),
}

const example = { id: 1, name: 'Dogs', total: 3, available: 2, pending: 1, sold: 0, none: 0 }

export const CategoryInventory = Type.Object(
  {
    id: id('The `categoryId` of the animals.'),
    name: Type.Optional(CategoryName),
    total: animals('the category has', 3),
    ...byStatus,
  },
  {
    $id: 'CategoryInventory',
    description: 'How many animals a category has. `name` is absent if the category has none.',
    examples: [example],
  },
)
export type CategoryInventory = Static<typeof CategoryInventory>

export const Inventory = Type.Object(
  {
    total: animals('there are', 4),
    ...byStatus,
    categories: Type.Array(CategoryInventory, {
      description:
        'A page of the categories that have animals, the largest first; if two are equal, the one with the lower id. ' +
        'With `sort=id`, of all categories that have a name or animals, ascending by id. ' +
        'With `name`, of the categories with these words, ascending by id, also without animals.',
      examples: [[example]],
    }),
    others: animals('are in all categories together that this page does not have', 1),
  },
  {
    $id: 'Inventory',
    description: 'How many animals the shop has, all counted at the same moment.',
    examples: [{ total: 4, available: 2, pending: 1, sold: 1, none: 0, categories: [example], others: 1 }],
  },
)
export type Inventory = Static<typeof Inventory>

/** The JSON of an inventory. */
export function encodeInventory(inventory: Inventory): string {
  const categories = encodeList(inventory.categories, encodeCategoryInventory)
  return `{${encodeCounts(inventory)},"categories":${categories},"others":${inventory.others}}`
}

function encodeCategoryInventory(category: CategoryInventory): string {
  const name = category.name === undefined ? '' : `,"name":${encodeText(category.name)}`
  return `{"id":${category.id}${name},${encodeCounts(category)}}`
}

function encodeCounts({ total, available, pending, sold, none }: Omit<CategoryInventory, 'id'>): string {
  return `"total":${total},"available":${available},"pending":${pending},"sold":${sold},"none":${none}`
}
