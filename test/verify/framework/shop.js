import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { HTTPException } from 'hono/http-exception'

// A pet store as a stranger writes it who knows this framework and has the contract, nothing else. Plain JavaScript: it
// is run as it is, with its own packages.

const maxInt64 = 2n ** 63n - 1n
const statuses = new Set(['available', 'pending', 'sold'])
const pets = new Map()
let lastId = 1000n

function error(context, status, code, message) {
  return context.json({ code, message, status }, status)
}

/** JSON.stringify cannot write a bigint. */
function encode({ id, name, categoryId, status }) {
  const end = status === undefined ? '' : `,"status":"${status}"`
  return `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"id":${id}${end}}`
}

function send(context, status, text) {
  return context.body(text, status, { 'Content-Type': 'application/json; charset=UTF-8' })
}

/** A member that is an integer becomes a bigint with all of its digits. */
function decode(text) {
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && /^-?\d+$/.test(source) ? BigInt(source) : value,
  )
}

function readNewPet(text) {
  const value = decode(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const { name, categoryId, status } = value
  const isInt64 = typeof categoryId === 'bigint' && categoryId <= maxInt64 && categoryId >= -maxInt64 - 1n
  const hasStatus = status === undefined || statuses.has(status)
  return typeof name === 'string' && isInt64 && hasStatus ? { name, categoryId, status } : undefined
}

const app = new Hono().basePath('/v1')

app.use(async (context, next) => {
  const refuse = () => ({ code: 'NO_KEY', message: 'This needs an API key.', status: 401 })
  const auth = bearerAuth({
    token: process.env.KEY,
    noAuthenticationHeader: { message: refuse },
    invalidToken: { message: refuse },
  })
  try {
    return await auth(context, next)
  } catch (fault) {
    // A malformed header is 400 in this framework.
    if (!(fault instanceof HTTPException)) throw fault
    return context.json(refuse(), 401)
  }
})

app.get('/pets', (context) => {
  const { status, limit = '20' } = context.req.query()
  const count = Math.min(100, Math.max(1, Number.parseInt(limit, 10) || 20))
  const found = [...pets.values()].filter((pet) => status === undefined || pet.status === status)
  return send(context, 200, `[${found.slice(-count).map(encode).join(',')}]`)
})

app.post('/pets', async (context) => {
  let pet
  try {
    pet = readNewPet(await context.req.text())
  } catch {
    return error(context, 400, 'NOT_JSON', 'The body cannot be read.')
  }
  if (pet === undefined) return error(context, 400, 'INVALID', 'A name and a categoryId are needed.')
  pet.id = ++lastId
  pets.set(String(pet.id), pet)
  return send(context, 201, encode(pet))
})

app.get('/pets/:petId', (context) => {
  const pet = pets.get(context.req.param('petId'))
  return pet === undefined ? error(context, 404, 'NO_PET', 'There is no such pet.') : send(context, 200, encode(pet))
})

app.notFound((context) => error(context, 404, 'NOTHING', 'There is nothing here.'))

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`port ${port}`))
