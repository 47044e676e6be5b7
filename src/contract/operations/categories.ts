import type { Static } from 'typebox'
import { Categories, Category, NewCategory } from '../category.ts'
import { bodyErrors, type Operation } from '../operation.ts'
import { cursor, id, limitOf } from '../parameters.ts'
import { Type } from '../schema.ts'

export const ListCategoriesQuery = Type.Object({ limit: limitOf('categories'), cursor: cursor() })
export type ListCategoriesQuery = Static<typeof ListCategoriesQuery>

export const listCategories: Operation = {
  id: 'listCategories',
  method: 'GET',
  path: '/categories',
  summary: 'List categories',
  description: 'Returns a page of the categories that have a name, ascending by id.',
  permission: 'read',
  stability: 'experimental',
  parameters: { query: ListCategoriesQuery },
  success: { status: 200, description: 'A page of categories.', body: Categories, headers: ['Link', 'ETag'] },
  errors: ['invalid_parameter'],
}

export const putCategory: Operation = {
  id: 'putCategory',
  method: 'PUT',
  path: '/categories/{categoryId}',
  summary: 'Name a category',
  description: 'Gives a category its name, or another one. Any int64 is a category; animals need none that has a name.',
  permission: 'write',
  stability: 'experimental',
  parameters: { path: Type.Object({ categoryId: id('The identifier of the category.') }) },
  body: NewCategory,
  success: { status: 200, description: 'The category has a new name.', body: Category, headers: [] },
  otherSuccess: {
    status: 201,
    description: 'The category has a name for the first time.',
    body: Category,
    headers: [],
  },
  errors: ['not_found', ...bodyErrors],
}
