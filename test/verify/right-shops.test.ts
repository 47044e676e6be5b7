import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bareKey,
  type BarePet,
  type BareRequest,
  type BareResponse,
  BareShop,
  directTransport,
  encode,
  error,
  json,
} from './bare-shop.ts'
import { judge } from './judge.ts'

// Shops as other frameworks make them. None of them breaks a sentence of the contract.

interface RightShop {
  name: string
  handle: (request: BareRequest, shop: BareShop) => BareResponse
  /** Where its ids begin. Default: 1. */
  lastId?: bigint
  /** How many animals it has before the run. */
  pets?: number
  /** How long an animal may take to be seen. */
  settleMs?: number
}

const hasKey = ({ authorization }: BareRequest) => authorization === `Bearer ${bareKey}`
const isCreate = ({ method, path }: BareRequest) => method === 'POST' && path === '/v1/pets'
const isList = ({ method, path }: BareRequest) => method === 'GET' && path === '/v1/pets'
const knownMembers = new Set(['name', 'categoryId', 'status'])
const page = (status: number) => ({ status, type: 'text/html', body: `<h1>${status}</h1>` })

function memberNames(body: string): string[] {
  try {
    return Object.keys(JSON.parse(body) as object)
  } catch {
    return []
  }
}

/** In another order each time, the same on every machine. */
let turn = 0
function turned<Item>(items: readonly Item[]): Item[] {
  const start = (turn += 7) % Math.max(1, items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}

/** Those that the run has not added. */
const isStranger = ({ name, categoryId }: BarePet) => /^Rex( \d+)?$/.test(name) && categoryId === '7'
/** Less than an animal may take to be seen in these tests. */
const lateMs = 20
const addedAt = new Map<bigint, number>()
let comets = 0

function nameOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { name?: unknown } | null)?.name
  } catch {
    return undefined
  }
}

const rightShops: readonly RightShop[] = [
  {
    name: 'refuses names with white space around them, and of more than 100 characters',
    handle(request, shop) {
      const name = isCreate(request) && hasKey(request) ? nameOf(request.body) : undefined
      const isRefused = typeof name === 'string' && (name.trim() !== name || name.length > 100)
      return isRefused ? error(400, 'name', 'Not such a name.') : shop.handle(request)
    },
  },
  {
    name: 'finds the animals of others by their ids a moment after lists show them',
    pets: 5,
    settleMs: 3 * lateMs,
    handle(request, shop) {
      if (isList(request) && hasKey(request)) {
        const oldest = shop.pets.findLast(isStranger)
        const { id } = shop.add(`Rex ${shop.lastId}`, '7', 'sold')
        shop.pets = [...shop.pets.splice(-1), ...shop.pets.filter((pet) => pet !== oldest)]
        addedAt.set(id, performance.now())
      }
      const id = /^\/v1\/pets\/(\d{1,18})$/.exec(request.path)?.[1]
      const isLate = id !== undefined && performance.now() - (addedAt.get(BigInt(id)) ?? 0) < lateMs
      return isLate && hasKey(request) ? shop.get('none') : shop.handle(request)
    },
  },
  {
    name: 'has an animal 0 that others remove and add again under another name',
    handle(request, shop) {
      if (request.path !== '/v1/pets/0' || !hasKey(request)) return shop.handle(request)
      return json(200, `{"id":0,"name":"Comet ${++comets}","categoryId":7}`)
    },
  },
  {
    name: 'gives the ids of animals that others removed again',
    pets: 40,
    handle(request, shop) {
      const response = shop.handle(request)
      if (!isCreate(request) || response.status !== 201) return response
      // Others have removed two of theirs just before.
      const [first, second] = shop.pets.filter(isStranger)
      const pet = shop.pets.at(-1)
      if (pet === undefined || first === undefined || second === undefined) return response
      shop.pets = shop.pets.filter((one) => one !== first && one !== second)
      pet.id = first.id
      return json(201, encode(pet))
    },
  },
  {
    name: 'has pages of at most 1,200 characters, and says which is the next one as HTTP lets it',
    pets: 15,
    handle(request, shop) {
      const response = shop.handle(request)
      if (!isList(request) || response.status !== 200) return response
      const pets = response.body.slice(1, -1).split(/,(?=\{"id")/)
      let length = 0
      const shown = pets.filter((pet, index) => (length += pet.length) <= 1200 || index === 0)
      const link = '</v1/docs>; rel="help", </v1/pets?after=9>; title="more, much"; REL = "last next"'
      return { ...json(200, `[${shown.join()}]`), headers: shown.length < pets.length ? { link } : {} }
    },
  },
  {
    name: 'refuses large bodies, long headers and long addresses as a server does',
    handle(request, shop) {
      const { body, path } = request
      const headers = ['cookie', 'authorization'].map((name) => request.header?.(name)?.length ?? 0)
      if (Math.max(...headers) > 2000 || request.header?.('x-unknown-30') !== undefined) return page(431)
      if (path.length > 200) return hasKey(request) ? page(414) : shop.handle(request)
      return body.length > 6000 && hasKey(request) ? page(413) : shop.handle(request)
    },
  },
  {
    name: 'refuses members and parameters that the contract does not have, and any other media type',
    handle(request, shop) {
      if (!hasKey(request)) return shop.handle(request)
      if ([...request.query.keys()].some((name) => name !== 'limit' && name !== 'status'))
        return error(400, 'parameter', 'There is no such parameter.')
      if (!isCreate(request)) return shop.handle(request)
      if (!/^application\/json *(?:;|$)/i.test(request.contentType ?? '')) return error(415, 'type', 'Send JSON.')
      const isKnown = memberNames(request.body).every((name) => knownMembers.has(name))
      return isKnown ? shop.handle(request) : error(400, 'member', 'There is no such member.')
    },
  },
  {
    name: 'shows at most 30 animals, in another order each time, with ids that go down from 2^53',
    lastId: 2n ** 53n,
    handle(request, shop) {
      if (isCreate(request)) shop.lastId -= 3n
      if (!isList(request) || !hasKey(request)) return shop.handle(request)
      const limit = Number(request.query.get('limit') ?? 20)
      const status = request.query.get('status')
      const chosen = shop.pets.filter((pet) => status === null || pet.status === status)
      const shown = turned(chosen).slice(0, Math.min(30, limit >= 1 ? limit : 1))
      return json(200, `[${shown.map(encode).join()}]`)
    },
  },
  {
    name: 'writes null for a status that is not there, and its headers say how long a page is',
    handle(request, shop) {
      const response = shop.handle(request)
      const body = response.body.replaceAll(/("categoryId":-?\d+)\}/g, '$1,"status":null}')
      return { ...response, body, headers: { 'content-length': String(Buffer.byteLength(body)) } }
    },
  },
  {
    name: 'gives each page an ETag, and a cookie to each client',
    handle(request, shop) {
      const response = shop.handle(request)
      if (!isList(request) || response.status !== 200) return response
      const etag = `"${Buffer.byteLength(response.body)}-${shop.pets.length}"`
      const isSame = request.header?.('if-none-match') === etag
      const headers = { etag, 'set-cookie': `visit=${shop.pets.length}; HttpOnly` }
      return isSame ? { status: 304, type: '', body: '', headers } : { ...response, headers }
    },
  },
  {
    name: 'has nothing but its three operations, and a web page for all else',
    handle: (request, shop) =>
      isList(request) || isCreate(request) || /^\/v1\/pets\/-?\d+$/.test(request.path)
        ? shop.handle(request)
        : { ...page(404), type: 'application/json', body: '{"code":"a","message":"b","status":404}' },
  },
  {
    name: 'has an animal 0, and far more animals than a page, the newest first',
    pets: 150,
    lastId: -1n,
    handle(request, shop) {
      if (!isList(request)) return shop.handle(request)
      const newestFirst = new BareShop()
      newestFirst.pets = shop.pets.toReversed()
      return newestFirst.handle(request)
    },
  },
  {
    name: 'has animals that left it years ago, by their ids and in no list',
    pets: 12,
    handle(request, shop) {
      if (!isList(request)) return shop.handle(request)
      const present = new BareShop()
      present.pets = shop.pets.filter(({ id }) => id > 8n)
      return present.handle(request)
    },
  },
]

for (const { name, handle, lastId = 0n, pets = 0, settleMs = 0 } of rightShops)
  test(`no rule is broken by a shop that ${name}`, async () => {
    const shop = new BareShop()
    shop.lastId = lastId
    for (let count = 0; count < pets; count++) shop.add('Rex', '7', 'sold')

    const report = await judge(new URL('http://shop.test/v1'), bareKey, {
      transport: directTransport((request) => handle(request, shop)),
      settleMs,
    })

    assert.deepEqual(
      report.results.filter(({ outcome }) => outcome === 'failed'),
      [],
    )
  })
