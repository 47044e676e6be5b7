import type { Static } from 'typebox'
import { Categories, Category, NewCategory } from '../category.ts'
import { bodyErrors, type Operation } from '../operation.ts'
import { cursor, id, idempotencyKey, limitOf, nameFilter, preconditions, shortSearches } from '../parameters.ts'
import { Type } from '../schema.ts'

export const ListCategoriesQuery = Type.Object({
  limit: limitOf('categories'),
  name: nameFilter('categories', 'dogs'),
  cursor: cursor(),
})
export type ListCategoriesQuery = Static<typeof ListCategoriesQuery>

export const listCategories = {
  id: 'listCategories',
  method: 'GET',
  path: '/categories',
  summary: 'List categories',
  description: `Returns a page of the categories that have a name, ascending by id. ${shortSearches}`,
  permission: 'read',
  stability: 'experimental',
  parameters: { query: ListCategoriesQuery },
  success: {
    status: 200,
    description: 'A page of categories.',
    body: Categories,
    headers: ['Link', 'Next-Cursor', 'ETag'],
  },
  errors: [],
} as const satisfies Operation

export const createCategory = {
  id: 'createCategory',
  method: 'POST',
  path: '/categories',
  summary: 'Add a category',
  description:
    'Names a new category. The service gives it a free `id`: above every id below 2^53 - 1 that a category with a name or an ' +
    'animal has. With an `Idempotency-Key` a retry is safe, as with `POST /pets`.',
  permission: 'write',
  stability: 'experimental',
  parameters: { header: idempotencyKey('add a category') },
  body: NewCategory,
  success: {
    status: 201,
    description: 'Category added; the body includes the assigned `id`.',
    body: Category,
    headers: ['Location', 'ETag', 'Idempotent-Replayed'],
    links: {
      getCategory: {
        operationId: 'getCategory',
        description: 'Reads the new category.',
        parameters: { categoryId: '$response.body#/id' },
      },
    },
  },
  errors: [...bodyErrors, 'conflict', 'idempotency_mismatch'],
  errorMeanings: { conflict: 'No id is free, or a request with the same Idempotency-Key is still in flight.' },
} as const satisfies Operation

const categoryPath = Type.Object({ categoryId: id('The identifier of the category.') })

export const getCategory = {
  id: 'getCategory',
  method: 'GET',
  path: '/categories/{categoryId}',
  summary: 'Get a category',
  description: 'Returns one category. Its `ETag` is the one to send in `If-Match` when the category is renamed.',
  permission: 'read',
  stability: 'experimental',
  parameters: { path: categoryPath },
  success: { status: 200, description: 'The requested category.', body: Category, headers: ['ETag'] },
  errors: ['not_found'],
  errorMeanings: { not_found: 'No category with this id has a name.' },
} as const satisfies Operation

export const putCategory = {
  id: 'putCategory',
  method: 'PUT',
  path: '/categories/{categoryId}',
  summary: 'Name a category',
  description:
    'Gives a category its name, or another one. Any int64 is a category, and an animal may have one without a name. With ' +
    '`If-None-Match: *` it only creates, with `If-Match: *` it only renames.',
  permission: 'write',
  stability: 'experimental',
  parameters: { path: categoryPath, header: preconditions('category') },
  body: NewCategory,
  success: { status: 200, description: 'The category has a new name.', body: Category, headers: ['ETag'] },
  otherSuccess: {
    status: 201,
    description: 'The category has a name for the first time.',
    body: Category,
    headers: ['ETag'],
  },
  errors: ['not_found', ...bodyErrors, 'precondition_failed'],
} as const satisfies Operation

export const deleteCategory = {
  id: 'deleteCategory',
  method: 'DELETE',
  path: '/categories/{categoryId}',
  summary: 'Remove a category',
  description: 'Removes a category that no animal has. Its id may be used again.',
  permission: 'write',
  stability: 'experimental',
  parameters: { path: categoryPath, header: preconditions('category') },
  success: { status: 204, description: 'The category was removed.', headers: [] },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorMeanings: { not_found: 'No category with this id has a name.', conflict: 'An animal has this category.' },
} as const satisfies Operation
