import { type BareRequest, type BareResponse, error, json } from './bare-shop.ts'

// Another pet store that follows the contract, by somebody who decided differently wherever it is silent.

interface UnusualPet {
  id: bigint
  name: string
  categoryId: bigint
  status: string
}

/** The categories of this shop. No others are taken. */
const categories = new Set([10n, 20n, 9007199254740993n])

export const unusualKey = 'Zm9v.YmFy~baz_+/=='

/**
 * Ids beyond 2^53 that go down, newest animals first, at most 50 in a page, a status by default, empty names and unknown
 * categories refused, other limits cut instead of refused, members that the contract does not have, DELETE is 200.
 */
export class UnusualShop {
  readonly pets: UnusualPet[] = []
  #lastId = 2n ** 63n - 1n

  constructor() {
    for (let count = 0; count < 60; count++) this.#add('Rex', 10n, 'sold')
  }

  handle({ method, path, query, authorization = '', body }: BareRequest): BareResponse {
    const [, scheme = '', key] = /^(\S+) +(.*)$/.exec(authorization) ?? []
    if (scheme.toLowerCase() !== 'bearer' || key !== unusualKey) return withDetails(error(401, 'E1', 'No.'))
    const id = /^\/v1\/pets\/(.+)$/.exec(path)?.[1]
    if (path === '/v1/pets' && method === 'GET') return this.#list(query)
    if (path === '/v1/pets' && method === 'POST') return this.#create(body)
    const index = this.pets.findIndex((pet) => String(pet.id) === id)
    if (index === -1) return withDetails(error(404, 'E2', ''))
    if (method === 'DELETE') this.pets.splice(index, 1)
    return method === 'DELETE' ? json(200, '{}') : { ...json(200, encode(this.pets[index] as UnusualPet)), type }
  }

  #list(query: URLSearchParams): BareResponse {
    const status = query.get('status')
    const limit = Math.min(50, Math.max(1, Number(query.get('limit') ?? 20)))
    const chosen = this.pets.filter((pet) => status === null || pet.status === status)
    return { ...json(200, `[\n${chosen.toReversed().slice(0, limit).map(encode).join(',\n')}\n]\n`), type }
  }

  #create(body: string): BareResponse {
    const refuse = () => withDetails(error(400, 'E3', 'Wrong.'))
    const categoryId = /"categoryId"\s*:\s*(-?\d+)\s*[,}]/.exec(body)?.[1]
    if (categoryId === undefined || !categories.has(BigInt(categoryId))) return refuse()
    const value = parsed(body)
    if (value === undefined || Array.isArray(value)) return refuse()
    const { name, status = 'available' } = value
    if (typeof name !== 'string' || name.trim() === '') return refuse()
    if (typeof status !== 'string' || !['available', 'pending', 'sold'].includes(status)) return refuse()
    return { ...json(201, encode(this.#add(name, BigInt(categoryId), status))), type }
  }

  #add(name: string, categoryId: bigint, status: string): UnusualPet {
    const pet = { id: this.#lastId--, name, categoryId, status }
    this.pets.push(pet)
    return pet
  }
}

function parsed(body: string): { name?: unknown; status?: unknown } | undefined {
  try {
    return JSON.parse(body) as { name?: unknown; status?: unknown }
  } catch {
    return undefined
  }
}

const type = 'Application/JSON ; charset=UTF-8'

function encode({ id, name, categoryId, status }: UnusualPet): string {
  const ascii = JSON.stringify(name).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `{ "status" : "${status}", "tags": [], "categoryId": ${categoryId}, "name": ${ascii}, "id": ${id} }`
}

function withDetails(response: BareResponse): BareResponse {
  return { ...response, body: response.body.replace('{', '{"trace":[1,2],') }
}
