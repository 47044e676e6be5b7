import { differenceOf } from './difference.ts'
import { describe, type Exchange, jsonOf } from './exchange.ts'
import { int64Of, type Json, member } from './json.ts'

/** A rule of the contract is broken. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly exchange: Exchange | undefined
  readonly expected: string
  readonly came: string
  /** An earlier response that says otherwise. */
  readonly earlier: Exchange | undefined

  constructor(exchange: Exchange | undefined, expected: string, came?: string, earlier?: Exchange) {
    const response = exchange === undefined ? '' : describe(exchange)
    super(expected)
    this.exchange = exchange
    this.earlier = earlier
    this.expected = expected
    this.came = [came, response].filter((part) => part !== undefined && part !== '').join(' — ')
  }
}

/** A check cannot run here. The message says why. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** An animal as far as its members have their types. A status that is null is none: readers of the contract may differ. */
export interface Pet {
  id: bigint
  name: string
  categoryId: bigint
  status?: string
}

export const statuses = ['available', 'pending', 'sold'] as const

/** Midnight in UTC of 5 December 2030, when the contract removes getPet. */
export const removalTime = Date.UTC(2030, 11, 5)

export function expectStatus(exchange: Exchange, status: number): void {
  if (exchange.response?.status !== status) throw new Broken(exchange, `the status ${status}`)
}

/** Parameters such as a charset do not matter. */
export function expectJsonType(exchange: Exchange): void {
  if (!hasJsonType(exchange.response)) throw new Broken(exchange, 'the Content-Type application/json')
}

/** A response has one media type: of two, a client may take either. */
export function hasJsonType(response: Exchange['response']): boolean {
  const types = (response?.headers ?? []).filter(([name]) => name === 'content-type')
  return types.length > 0 && types.every(([, type]) => /^application\/json[ \t]*(?:;|$)/i.test(type))
}

/** The animals of a list. What is no animal is an error too. */
export function expectPets(exchange: Exchange): Pet[] {
  return expectArray(exchange).map((one) => readPet(one) ?? fail(exchange, `each animal to have ${petMembers}`))
}

export function expectArray(exchange: Exchange): Json[] {
  expectStatus(exchange, 200)
  const value = exchange.response === undefined ? undefined : jsonOf(exchange.response)
  if (!Array.isArray(value)) throw new Broken(exchange, 'a body that is a JSON array')
  return value
}

export function expectPet(exchange: Exchange, status: number): Pet {
  expectStatus(exchange, status)
  return petOf(exchange) ?? fail(exchange, `a body with ${petMembers}`)
}

/** The 201 has this name, character by character. */
export function expectName(made: Exchange, name: string): void {
  const { name: came } = expectPet(made, 201)
  if (came !== name) fail(made, `the name ${JSON.stringify(name)}`, differenceOf(name, came))
}

const petMembers = 'an id (int64), a name (string), a categoryId (int64), and a status of the three, if any'

/** The animal in a response, undefined if there is none. */
export function petOf({ response }: Exchange): Pet | undefined {
  return response === undefined ? undefined : readPet(jsonOf(response))
}

export function readPet(value: Json | undefined): Pet | undefined {
  const id = int64Of(member(value, 'id'))
  const name = member(value, 'name')
  const categoryId = int64Of(member(value, 'categoryId'))
  const status = member(value, 'status')
  if (id === undefined || typeof name !== 'string' || categoryId === undefined) return undefined
  if (status === undefined || status === null) return { id, name, categoryId }
  return typeof status === 'string' && isStatus(status) ? { id, name, categoryId, status } : undefined
}

function isStatus(text: string): boolean {
  return (statuses as readonly string[]).includes(text)
}

/** An Error: `code` and `message` are strings, `status` is an integer. */
export function expectError(exchange: Exchange, status: number): void {
  expectStatus(exchange, status)
  const value = exchange.response === undefined ? undefined : jsonOf(exchange.response)
  if (!isError(value)) fail(exchange, 'an Error with code (string), message (string) and status (integer)')
}

export function isError(value: Json | undefined): boolean {
  return (
    typeof member(value, 'code') === 'string' &&
    typeof member(value, 'message') === 'string' &&
    int64Of(member(value, 'status')) !== undefined
  )
}

export function fail(exchange: Exchange | undefined, expected: string, came?: string): never {
  throw new Broken(exchange, expected, came)
}
