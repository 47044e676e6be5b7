// A pet store of the contract on node:http: animals in a Map, int64 as BigInt. A limit or status that is not allowed is
// ignored: the contract leaves that open.

import { createServer } from 'node:http'

const key = process.env['SHOP_KEY']
const statuses = ['available', 'pending', 'sold']
const pets = new Map()
let nextId = 1n

class Refusal extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

// Keeps the digits of integers that a double cannot hold.
const parse = (text) =>
  JSON.parse(text, (_, value, { source }) => {
    return typeof value === 'number' && /^-?\d+$/.test(source) ? BigInt(source) : value
  })

const stringify = (value) =>
  JSON.stringify(value, (_, member) => {
    return typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member
  })

function checkKey({ headers }) {
  const { authorization } = headers
  if (!authorization) throw new Refusal(401, 'unauthenticated', 'No API key was sent.')
  const [scheme, token, ...rest] = authorization.split(' ')
  if (scheme !== 'Bearer' || rest.length > 0) throw new Refusal(401, 'unauthenticated', 'Use: Bearer <API_KEY>')
  if (token !== key) throw new Refusal(401, 'unauthenticated', 'The API key is unknown.')
}

function newPetOf(text) {
  let body
  try {
    body = parse(text)
  } catch {
    throw new Refusal(400, 'malformed', 'The body is not valid JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'malformed', 'The body must be an object.')
  }
  const { name, categoryId, status } = body
  if (name === undefined) throw new Refusal(400, 'required', 'name is required.')
  if (categoryId === undefined) throw new Refusal(400, 'required', 'categoryId is required.')
  if (typeof name !== 'string') throw new Refusal(400, 'invalid', 'name must be a string.')
  if (typeof categoryId !== 'bigint') throw new Refusal(400, 'invalid', 'categoryId must be an integer.')
  if (categoryId !== BigInt.asIntN(64, categoryId)) throw new Refusal(400, 'invalid', 'categoryId must be an int64.')
  if (status === undefined) return { name, categoryId }
  if (!statuses.includes(status)) throw new Refusal(400, 'invalid', `status must be one of ${statuses.join()}.`)
  return { name, categoryId, status }
}

function listPets({ query }) {
  const number = Number(query.get('limit') ?? 20)
  const limit = Number.isInteger(number) && number >= 1 && number <= 100 ? number : 20
  const status = query.get('status')
  let found = [...pets.values()]
  if (statuses.includes(status)) found = found.filter((pet) => pet.status === status)
  return { status: 200, body: found.slice(0, limit) }
}

function createPet({ text }) {
  const newPet = newPetOf(text)
  const pet = { id: nextId++, ...newPet }
  pets.set(pet.id, pet)
  return { status: 201, body: pet }
}

function getPet({ path }) {
  const id = path.slice('/v1/pets/'.length)
  const pet = /^-?\d+$/.test(id) ? pets.get(BigInt(id)) : undefined
  if (!pet) throw new Refusal(404, 'not_found', `There is no animal ${id}.`)
  return { status: 200, body: pet }
}

function route(method, path) {
  if (path === '/v1/pets' && method === 'GET') return listPets
  if (path === '/v1/pets' && method === 'POST') return createPet
  if (path.startsWith('/v1/pets/') && method === 'GET') return getPet
  throw new Refusal(404, 'not_found', 'There is no such operation.')
}

async function answer(request) {
  try {
    const chunks = await Array.fromAsync(request)
    checkKey(request)
    const { pathname: path, searchParams: query } = new URL(request.url, 'http://shop')
    const operation = route(request.method, path)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return operation({ request, path, query, text })
  } catch (error) {
    const { status = 400, code, message } = error
    return { status, body: { code: String(code), message, status } }
  }
}

const server = createServer(async (request, response) => {
  const { status, body } = await answer(request)
  const text = stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
})

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
