import { NewCategory } from '../../contract/category.ts'
import { int64FromText } from '../../contract/int64.ts'
import { encodeCategory, encodeList } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations.ts'
import { listCategories, ListCategoriesQuery, putCategory } from '../../contract/operations/categories.ts'
import type { Categories } from '../../inventory/categories.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { sendJson } from '../replies/json-reply.ts'
import type { App } from '../fastify-types.ts'
import { parseBody, requireJson } from '../gates/json-body.ts'
import { encodedPage, sendPage } from '../replies/page.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'

const scope = 'categories'

export interface CategoryRoutesOptions {
  categories: Categories
  offer: Offer
}

export function categoryRoutes(app: App, { categories, offer }: CategoryRoutesOptions): void {
  if (isOffered(listCategories, offer)) listCategoriesRoute(app, categories)
  if (isOffered(putCategory, offer)) putCategoryRoute(app, categories)
}

function listCategoriesRoute(app: App, categories: Categories): void {
  const options = { schema: { querystring: ListCategoriesQuery }, config: { operation: listCategories } }
  app.get('/categories', options, async (request, reply) => {
    const { limit, cursor } = request.query
    const { items, more } = await categories.list(limit, decodeCursor(cursor, scope))
    const last = items.at(-1)
    const next =
      more && last !== undefined
        ? nextPage('/categories', {}, limit, { cursor: encodeCursor(last.id, scope) })
        : undefined
    sendPage(request, reply, encodedPage(encodeList(items, encodeCategory), next))
    return reply
  })
}

function putCategoryRoute(app: App, categories: Categories): void {
  app.put<{ Params: { categoryId: string }; Body: NewCategory }>(
    '/categories/:categoryId',
    {
      schema: { body: NewCategory },
      config: { operation: putCategory },
      onRequest: requireJson,
      preValidation: parseBody,
    },
    async (request, reply) => {
      const id = int64FromText(request.params.categoryId)
      if (id === undefined) throw new PetStoreError('not_found', 'A category has an integer of 64 bits for its id.')
      const category = { id, name: request.body.name }
      const { isNew } = await categories.put(category)
      reply.code(isNew ? 201 : 200).header('cache-control', 'private, no-cache')
      sendJson(reply, encodeCategory(category))
      return reply
    },
  )
}
