import { type Check, reads, type Subject, writes } from '../../shop/check.ts'
import {
  expectAllIds,
  expectHeader,
  expectMembers,
  expectObject,
  expectRefusal,
  idOf,
  sendJson,
} from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail, Skipped } from '../../shop/expect.ts'
import { int64Of, isObject, type Json, member } from '../../shop/json.ts'

const createSentence = 'createCategory: names a new category. The service gives it a free `id`.'
const putSentence = 'putCategory: with `If-None-Match: *` it only creates, with `If-Match: *` it only renames.'
const inventorySentence =
  'getInventory: how many animals there are, by status and in the largest categories, all counted at the same moment.'

export async function newCategory({
  shop,
  stock,
}: Subject): Promise<{ id: bigint; name: string; path: string; made: Exchange }> {
  const name = stock.newName()
  const made = await sendJson(shop, 'POST', '/categories', `{"name":"${name}"}`)
  const id = idOf(made, expectObject(made, 201))
  return { id, name, path: `/categories/${id}`, made }
}

/** Only creates: a name that somebody else gave stays. */
function put({ shop }: Subject, id: bigint, name: string, headers: Record<string, string>): Promise<Exchange> {
  return sendJson(shop, 'PUT', `/categories/${id}`, `{"name":"${name}"}`, headers)
}

export const categoryChecks: readonly Check[] = [
  writes('F-categories-1', {
    name: 'a new category gets an id and an address',
    sentence: createSentence,
    async run(subject) {
      const { name, path, made } = await newCategory(subject)
      expectMembers(made, expectObject(made, 201), { name })
      expectHeader(made, 'Location', new RegExp(`${path}$`))
    },
  }),
  writes('F-categories-2', {
    name: 'a category is found by its id; one without a name is 404',
    sentence: 'getCategory: 404: No category with this id has a name.',
    async run(subject) {
      const { id, name, path } = await newCategory(subject)
      const got = await subject.shop.send({ method: 'GET', path })
      expectMembers(got, expectObject(got, 200), { id, name })
      const unknown = `/categories/${-subject.shop.markCategory}`
      expectRefusal(await subject.shop.send({ method: 'GET', path: unknown }), 404, 'not_found')
    },
  }),
  writes('F-categories-3', {
    name: 'a category is found by the words of its name',
    sentence: 'listCategories: `name` as for animals.',
    async run(subject) {
      const { id, name } = await newCategory(subject)
      await expectAllIds(subject.shop, `/categories?name=${name.toUpperCase()}`, [id])
    },
  }),
  writes('F-categories-4', {
    name: 'PUT creates with If-None-Match: * once, then it is 412',
    sentence: putSentence,
    async run(subject) {
      const id = subject.stock.newCategoryId()
      const create = () => put(subject, id, subject.stock.newName(), { 'If-None-Match': '*' })
      expectStatus(await create(), 201)
      expectRefusal(await create(), 412, 'precondition_failed')
    },
  }),
  writes('F-categories-5', {
    name: 'PUT renames with If-Match, and a name that is not there is not made so',
    sentence: putSentence,
    async run(subject) {
      const { id, made } = await newCategory(subject)
      const name = subject.stock.newName()
      const renamed = await put(subject, id, name, { 'If-Match': expectHeader(made, 'ETag', /^"/) })
      expectMembers(renamed, expectObject(renamed, 200), { id, name })
      const missing = -subject.shop.markCategory
      expectRefusal(await put(subject, missing, name, { 'If-Match': '*' }), 412, 'precondition_failed')
    },
  }),
  writes('F-categories-6', {
    name: 'a category that an animal has is not removed: 409; without one it is 204',
    sentence: 'deleteCategory: removes a category that no animal has.',
    async run(subject) {
      const { id, name, path } = await newCategory(subject)
      const { pet } = await subject.stock.add({ categoryId: String(id) })
      expectRefusal(await subject.shop.send({ method: 'DELETE', path }), 409, 'conflict')
      expectStatus(await subject.shop.send({ method: 'DELETE', path: `/pets/${pet.id}` }), 204)
      expectStatus(await subject.shop.send({ method: 'DELETE', path }), 204)
      const got = await subject.shop.send({ method: 'GET', path })
      // The id is free: others may have got it meanwhile.
      const named = got.response?.status === 200 ? member(expectObject(got, 200), 'name') : undefined
      if (typeof named !== 'string' || named === name) expectRefusal(got, 404, 'not_found')
    },
  }),
]

const statuses = ['available', 'pending', 'sold', 'none']

function count(value: Json | undefined, name: string, inventory: Exchange): bigint {
  return int64Of(member(value, name)) ?? fail(inventory, `the number ${name}`)
}

function categoriesOf(inventory: Exchange): Json[] {
  const categories = expectObject(inventory, 200)['categories']
  return Array.isArray(categories) ? categories : fail(inventory, 'an array of categories')
}

export const inventoryChecks: readonly Check[] = [
  reads('F-inventory-1', {
    name: 'the numbers of the statuses add up, in the shop and in each category',
    sentence: inventorySentence,
    async run({ shop, stock }) {
      await stock.fill()
      const inventory = await shop.send({ method: 'GET', path: '/store/inventory' })
      for (const part of [expectObject(inventory, 200), ...categoriesOf(inventory)]) {
        const sum = statuses.reduce((total, status) => total + count(part, status, inventory), 0n)
        if (sum !== count(part, 'total', inventory)) fail(inventory, 'a total that is the sum of the statuses')
      }
    },
  }),
  reads('F-inventory-2', {
    name: 'the largest categories are first, others is the rest, and limit holds',
    sentence: inventorySentence,
    async run({ shop, stock }) {
      await stock.fill()
      const inventory = await shop.send({ method: 'GET', path: '/store/inventory?limit=2' })
      const totals = categoriesOf(inventory).map((category) => count(category, 'total', inventory))
      if (totals.length > 2) fail(inventory, 'at most 2 categories', `${totals.length}`)
      if (totals.some((total, index) => index > 0 && total > (totals[index - 1] ?? 0n)))
        fail(inventory, 'the largest first')
      const all = totals.reduce((sum, total) => sum + total, count(expectObject(inventory, 200), 'others', inventory))
      if (all !== count(expectObject(inventory, 200), 'total', inventory))
        fail(inventory, 'categories and others that add up')
    },
  }),
  writes('F-inventory-3', {
    name: 'new animals count at once, in their category and its status',
    sentence: inventorySentence,
    async run(subject) {
      const { shop, stock } = subject
      const { id } = await newCategory(subject)
      for (const status of ['"sold"', '"sold"', '']) await stock.add({ categoryId: String(id), status })
      const inventory = await shop.send({ method: 'GET', path: '/store/inventory?limit=100' })
      const ours = categoriesOf(inventory).find((category) => int64Of(member(category, 'id')) === id)
      if (ours === undefined && categoriesOf(inventory).length >= 100)
        throw new Skipped('the shop has a hundred larger categories')
      if (!isObject(ours)) return fail(inventory, `the category ${id}`)
      expectMembers(inventory, ours, { total: 3n, available: 0n, pending: 0n, sold: 2n, none: 1n })
    },
  }),
]
