import { type Exchange, headerOf, jsonOf, type ShopRequest } from './exchange.ts'
import { expectArray, expectError, expectPets, expectStatus, fail, type Pet, Skipped } from './expect.ts'
import { int64Of, isObject, type Json, type JsonObject, member } from './json.ts'
import { itemsOf, maxPages } from './pages.ts'
import type { Shop } from './shop.ts'

const maxSearchPages = 30

/** The value of a header, undefined if there is none. */
export function header({ response }: Exchange, name: string): string | undefined {
  return response === undefined ? undefined : headerOf(response, name)
}

export function expectHeader(exchange: Exchange, name: string, wanted: RegExp | string): string {
  const value = header(exchange, name.toLowerCase()) ?? ''
  const isRight = typeof wanted === 'string' ? value === wanted : wanted.test(value)
  if (!isRight)
    fail(exchange, `the header ${name}: ${String(wanted)}`, value === '' ? `no ${name}` : `${name}: ${value}`)
  return value
}

/** An Error with this code. */
export function expectRefusal(exchange: Exchange, status: number, code: string): void {
  expectError(exchange, status)
  if (exchange.response && member(jsonOf(exchange.response), 'code') !== code) fail(exchange, `the code ${code}`)
}

export function expectObject(exchange: Exchange, status: number): JsonObject {
  expectStatus(exchange, status)
  const value = exchange.response && jsonOf(exchange.response)
  return isObject(value) ? value : fail(exchange, 'a body that is a JSON object')
}

/** Members of a body: texts as they are, integers as bigints. Undefined means that there is no such member. */
export function expectMembers(
  exchange: Exchange,
  value: Json | undefined,
  wanted: Record<string, string | bigint | undefined>,
) {
  for (const [name, one] of Object.entries(wanted)) {
    const found = member(value, name)
    const isRight = typeof one === 'bigint' ? int64Of(found) === one : found === one
    if (!isRight) fail(exchange, one === undefined ? `no ${name}` : `the ${name} ${one}`)
  }
}

export function idOf(exchange: Exchange, value: Json | undefined): bigint {
  return int64Of(member(value, 'id')) ?? fail(exchange, 'an id that is an int64')
}

export function idsOf(exchange: Exchange): bigint[] {
  return expectArray(exchange).map((item) => idOf(exchange, item))
}

/** The animal with this id as the list shows it, undefined if there is none. */
export async function readPet(shop: Shop, id: bigint): Promise<Pet | undefined> {
  const [pet, ...others] = expectPets(await shop.list(`?id=${id}`))
  if (others.length > 0 || (pet !== undefined && pet.id !== id)) throw new Skipped('the filter `id` does not work')
  return pet
}

/** Sends JSON. */
export function sendJson(
  shop: Shop,
  method: ShopRequest['method'],
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Exchange> {
  return shop.send({ method, path, body, headers })
}

/** Exactly these animals, in this order. */
export function expectIds(list: Exchange, wanted: readonly bigint[], what = 'animals'): void {
  const ids = idsOf(list)
  if (ids.join() !== wanted.join())
    fail(list, `the ${what} ${wanted.join(', ') || 'of nobody'}`, ids.join(', ') || 'none')
}

/** Exactly these animals on all pages of a list: a page of a search may be short. */
export async function expectAllIds(shop: Shop, path: string, wanted: readonly bigint[]): Promise<void> {
  let last: Exchange | undefined
  const ids: string[] = []
  const watch = (list: Exchange) => {
    expectArray(list)
    return (last = list)
  }
  for await (const item of itemsOf(shop, path, { maxPages: maxSearchPages, watch }))
    ids.push(String(int64Of(member(item, 'id'))))
  if (ids.join() !== wanted.join())
    fail(last, `the animals ${wanted.join(', ') || 'of nobody'}`, ids.join(', ') || 'none')
}

/** The first such item of a list, and the page that has it. Without one, the last page. */
export async function findItem(shop: Shop, path: string, isIt: (item: Json) => boolean) {
  const pages: Exchange[] = []
  const watch = (page: Exchange) => {
    expectArray(page)
    pages.push(page)
    return page
  }
  let found: Json | undefined
  for await (const item of itemsOf(shop, path, { maxPages, watch })) {
    if (!isIt(item)) continue
    found = item
    break
  }
  return { list: pages.at(-1) as Exchange, item: found }
}
