import { NewCategory } from '../../contract/category.ts'
import { int64FromText } from '../../contract/int64.ts'
import { encodeCategory } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  ListCategoriesQuery,
  putCategory,
} from '../../contract/operations/categories.ts'
import type { Categories, CategoryCreation } from '../../inventory/categories.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { endOf } from '../../inventory/page.ts'
import type { App } from '../fastify-types.ts'
import { callerOf } from '../request/caller.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { sendCreated } from '../replies/created.ts'
import { sendResource, sendTagged } from '../replies/etag.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, sendPage } from '../replies/page.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'

function scopeOf(name: string | undefined): string {
  return name === undefined ? 'categories' : `categories ${encodeURIComponent(name)}`
}

export interface CategoryRoutesOptions {
  categories: Categories
  inFlight: KeysInFlight
  offer: Offer
}

interface OneCategory {
  Params: { categoryId: string }
}

export function categoryRoutes(app: App, { categories, inFlight, offer }: CategoryRoutesOptions): void {
  if (isOffered(listCategories, offer)) listCategoriesRoute(app, categories)
  if (isOffered(createCategory, offer)) createCategoryRoute(app, categories, inFlight)
  if (isOffered(getCategory, offer)) getCategoryRoute(app, categories)
  if (isOffered(putCategory, offer)) putCategoryRoute(app, categories)
  if (isOffered(deleteCategory, offer)) deleteCategoryRoute(app, categories)
}

function listCategoriesRoute(app: App, categories: Categories): void {
  const options = { schema: { querystring: ListCategoriesQuery }, config: { operation: listCategories } }
  app.get('/categories', options, async (request, reply) => {
    const { limit, cursor, name } = request.query
    const scope = scopeOf(name)
    const caller = callerOf(reply.raw, (request.apiKey as ApiKey).id)
    const page = await categories.list(limit, decodeCursor(cursor, scope)?.id, name, caller)
    const id = endOf(page)
    const next =
      id === undefined
        ? undefined
        : nextPage('/categories', { name: name && encodeURIComponent(name) }, limit, {
            cursor: encodeCursor({ id }, scope),
          })
    const body = await encodeBody(page.items, encodeCategory)
    sendPage(request, reply, encodedPage(body, { next, isSearch: name !== undefined }))
    return reply
  })
}

function createCategoryRoute(app: App, categories: Categories, inFlight: KeysInFlight): void {
  const options = { schema: { body: NewCategory }, config: { operation: createCategory } }
  app.post('/categories', options, async (request, reply) => {
    const { name } = request.body
    const idempotencyKey = idempotencyKeyOf(request, () => `category ${JSON.stringify(name)}`)
    const creation = await inFlight(idempotencyKey, () => categories.create({ name }, idempotencyKey))
    if (!('category' in creation)) throw refused(creation)
    const { outcome, category } = creation
    sendCreated(request, reply, { path: `/categories/${category.id}`, body: encodeCategory(category), outcome })
    return reply
  })
}

function getCategoryRoute(app: App, categories: Categories): void {
  app.get<OneCategory>('/categories/:categoryId', { config: { operation: getCategory } }, async (request, reply) => {
    const id = int64FromText(request.params.categoryId)
    const category = id === undefined ? undefined : await categories.find(id)
    if (category === undefined) throw missing()
    sendResource(request, reply, encodeCategory(category))
    return reply
  })
}

function putCategoryRoute(app: App, categories: Categories): void {
  app.put<OneCategory & { Body: NewCategory }>(
    '/categories/:categoryId',
    {
      schema: { body: NewCategory },
      config: { operation: putCategory },
    },
    async (request, reply) => {
      const id = int64FromText(request.params.categoryId)
      if (id === undefined) throw new PetStoreError('not_found', 'The id of a category must be a 64-bit integer.')
      const category = { id, name: request.body.name }
      const { outcome } = await categories.put(category, preconditionOf(request))
      if (outcome === 'unmet') throw preconditionFailed(request, 'category')
      reply.code(outcome === 'added' ? 201 : 200)
      sendTagged(reply, encodeCategory(category))
      return reply
    },
  )
}

function deleteCategoryRoute(app: App, categories: Categories): void {
  app.delete<OneCategory>(
    '/categories/:categoryId',
    { config: { operation: deleteCategory } },
    async (request, reply) => {
      const id = int64FromText(request.params.categoryId)
      const removal = id === undefined ? undefined : await categories.remove(id, preconditionOf(request))
      if (removal === undefined || removal.outcome === 'missing') throw missing()
      if (removal.outcome === 'unmet') throw preconditionFailed(request, 'category')
      if (removal.outcome === 'used') throw new PetStoreError('conflict', 'An animal has this category.')
      return reply.code(204).header('cache-control', 'no-store').send()
    },
  )
}

function missing(): PetStoreError {
  return new PetStoreError('not_found', 'No category with this id has a name.')
}

function refused({ outcome }: Exclude<CategoryCreation, { category: unknown }>): PetStoreError {
  switch (outcome) {
    case 'mismatch':
      return idempotencyMismatch()
    case 'exhausted':
      return new PetStoreError('conflict', 'No id is free for a new category: name one with PUT.')
  }
}
