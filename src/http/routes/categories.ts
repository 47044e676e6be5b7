import { NewCategory } from '../../contract/category.ts'
import { int64FromText } from '../../contract/int64.ts'
import { encodeCategory, encodeList } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import { getCategory, listCategories, ListCategoriesQuery, putCategory } from '../../contract/operations/categories.ts'
import type { Categories } from '../../inventory/categories.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { App } from '../fastify-types.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { sendResource, sendTagged } from '../replies/etag.ts'
import { encodedPage, sendPage } from '../replies/page.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'

const scope = 'categories'

export interface CategoryRoutesOptions {
  categories: Categories
  offer: Offer
}

export function categoryRoutes(app: App, { categories, offer }: CategoryRoutesOptions): void {
  if (isOffered(listCategories, offer)) listCategoriesRoute(app, categories)
  if (isOffered(getCategory, offer)) getCategoryRoute(app, categories)
  if (isOffered(putCategory, offer)) putCategoryRoute(app, categories)
}

function listCategoriesRoute(app: App, categories: Categories): void {
  const options = { schema: { querystring: ListCategoriesQuery }, config: { operation: listCategories } }
  app.get('/categories', options, async (request, reply) => {
    const { limit, cursor } = request.query
    const { items, more } = await categories.list(limit, decodeCursor(cursor, scope)?.id)
    const last = more ? items.at(-1) : undefined
    const next = last && nextPage('/categories', {}, limit, { cursor: encodeCursor({ id: last.id }, scope) })
    sendPage(request, reply, encodedPage(encodeList(items, encodeCategory), { next }))
    return reply
  })
}

function getCategoryRoute(app: App, categories: Categories): void {
  app.get<{ Params: { categoryId: string } }>(
    '/categories/:categoryId',
    { config: { operation: getCategory } },
    async (request, reply) => {
      const id = int64FromText(request.params.categoryId)
      const category = id === undefined ? undefined : await categories.find(id)
      if (category === undefined) throw new PetStoreError('not_found', 'No category with this id has a name.')
      sendResource(request, reply, encodeCategory(category))
      return reply
    },
  )
}

function putCategoryRoute(app: App, categories: Categories): void {
  app.put<{ Params: { categoryId: string }; Body: NewCategory }>(
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
