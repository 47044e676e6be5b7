import { int64FromText } from '../../contract/int64.ts'
import { encodeCategory } from '../../contract/category.ts'
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  putCategory,
} from '../../contract/operations/categories.ts'
import type { Categories, CategoryCreation } from '../../inventory/categories.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { endOf } from '../../inventory/page.ts'
import type { Route } from '../exchange.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { createdReply } from '../replies/created.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { changedReply, resourceReply } from '../replies/etag.ts'
import { emptyReply } from '../replies/json.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { operationRoute } from '../route.ts'

export interface CategoryRoutesOptions {
  categories: Categories
  inFlight: KeysInFlight
}

export function categoryRoutes({ categories, inFlight }: CategoryRoutesOptions): Route[] {
  return [
    operationRoute(listCategories, async ({ query: { limit, cursor, name } }, exchange) => {
      const scope = scopeOf(name)
      const page = await categories.list(limit, decodeCursor(cursor, scope)?.id, name, exchange.caller)
      const id = endOf(page)
      const next =
        id === undefined
          ? undefined
          : nextPage('/categories', { name: name && encodeURIComponent(name) }, limit, {
              cursor: encodeCursor({ id }, scope),
            })
      const body = await encodeBody(page.items, encodeCategory, exchange)
      return pageReply(exchange, encodedPage(body, { next, isSearch: name !== undefined }))
    }),

    operationRoute(createCategory, async ({ body: { name } }, exchange) => {
      const idempotencyKey = idempotencyKeyOf(exchange, () => `category ${JSON.stringify(name)}`)
      const creation = await inFlight(idempotencyKey, () => categories.create({ name }, idempotencyKey))
      if (!('category' in creation)) throw refused(creation)
      const { outcome, category } = creation
      return createdReply(exchange, { path: `/categories/${category.id}`, body: encodeCategory(category), outcome })
    }),

    operationRoute(getCategory, async ({ params }) => {
      const id = int64FromText(params.categoryId)
      const category = id === undefined ? undefined : await categories.find(id)
      if (category === undefined) throw missing()
      return resourceReply(encodeCategory(category))
    }),

    operationRoute(putCategory, async ({ params, body }, exchange) => {
      const id = int64FromText(params.categoryId)
      if (id === undefined) throw new PetStoreError('not_found', 'The id of a category must be a 64-bit integer.')
      const category = { id, name: body.name }
      const { outcome } = await categories.put(category, preconditionOf(exchange.request))
      if (outcome === 'unmet') throw preconditionFailed(exchange.request, 'category')
      return changedReply(encodeCategory(category), outcome === 'added' ? 201 : 200)
    }),

    operationRoute(deleteCategory, async ({ params }, exchange) => {
      const id = int64FromText(params.categoryId)
      const removal = id === undefined ? undefined : await categories.remove(id, preconditionOf(exchange.request))
      if (removal === undefined || removal.outcome === 'missing') throw missing()
      if (removal.outcome === 'unmet') throw preconditionFailed(exchange.request, 'category')
      if (removal.outcome === 'used') throw new PetStoreError('conflict', 'An animal has this category.')
      return emptyReply
    }),
  ]
}

function scopeOf(name: string | undefined): string {
  return name === undefined ? 'categories' : `categories ${encodeURIComponent(name)}`
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
