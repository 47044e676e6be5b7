import type { Static } from 'typebox'
import { id } from './parameters.ts'
import { Type } from './schema.ts'
import { codecOf } from './json.ts'
import { membersOf } from './members.ts'
import { PetName } from './pet.ts'

export const CategoryName = Type.String({
  ...PetName,
  maxLength: 1000,
  description: 'The name of the category: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent.',
  examples: ['Dogs'],
})

export const NewCategory = Type.Object(
  { name: CategoryName },
  {
    $id: 'NewCategory',
    description: 'The name for a category. Unknown members are ignored.',
    examples: [{ name: 'Dogs' }],
  },
)
export type NewCategory = Static<typeof NewCategory>

export const Category = Type.Object(
  {
    id: id('What `categoryId` of an animal refers to.'),
    ...NewCategory.properties,
  },
  {
    $id: 'Category',
    description: 'A category that was given a name. Animals may belong to categories without one.',
    examples: [{ id: 1, name: 'Dogs' }],
  },
)
export type Category = Static<typeof Category>

export const categoryMembers = membersOf(Category)

export const { encode: encodeCategory, decode: decodeCategory } = codecOf<Category>(categoryMembers)

export const Categories = Type.Array(Category, {
  $id: 'Categories',
  description: 'A page of categories, ascending by id.',
  examples: [[{ id: 1, name: 'Dogs' }]],
})
