import { Database } from 'bun:sqlite'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { NewPet } from './new-pet.ts'

// The same as fastify-sqlite.ts with the parts one would pick on Bun, and the same promise of durability.
const { DATABASE = '', PORT = '', GZIP, PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key } = process.env
const db = new Database(DATABASE)
db.exec('PRAGMA journal_mode = WAL')
db.exec('PRAGMA synchronous = FULL')

const columns = 'SELECT id, name, category_id AS categoryId, status FROM pets'
const findKey = db.query('SELECT 1 FROM api_keys WHERE hash = ?')
const list = db.query(`${columns} WHERE id > ? ORDER BY id LIMIT ?`)
const listByStatus = db.query(`${columns} WHERE status = ? AND id > ? ORDER BY id LIMIT ?`)
const find = db.query(`${columns} WHERE id = ?`)
const insert = db.query('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)')

const statuses = new Set(['available', 'pending', 'sold'])
const app = new Hono()
if (GZIP) app.use(compress({ encoding: 'gzip' }))

app.use(async (context, next) => {
  const secret = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
  const hash = new Bun.CryptoHasher('sha256').update(secret).digest('hex')
  if (findKey.get(hash) === null) {
    return context.json({ code: 'unauthorized', message: 'Send a valid API key.', status: 401 }, 401)
  }
  await next()
})

app.get('/v1/pets', (context) => {
  const limit = Number(context.req.query('limit') ?? 20)
  const after = Number(context.req.query('after') ?? 0)
  const status = context.req.query('status')
  const right = limit >= 1 && limit <= 100 && Number.isInteger(after)
  if (!right || (status !== undefined && !statuses.has(status))) {
    return context.json({ code: 'invalid_parameter', message: 'A parameter is wrong.', status: 400 }, 400)
  }
  return context.json(status === undefined ? list.all(after, limit) : listByStatus.all(status, after, limit))
})

app.get('/v1/pets/:petId', (context) => {
  const pet = find.get(Number(context.req.param('petId')))
  if (pet === null) return context.json({ code: 'not_found', message: 'No animal has this id.', status: 404 }, 404)
  return context.json(pet)
})

app.post('/v1/pets', async (context) => {
  const { name, categoryId, status } = await context.req.json<NewPet>()
  if (typeof name !== 'string' || !Number.isInteger(categoryId) || (status && !statuses.has(status))) {
    return context.json({ code: 'invalid_body', message: 'The animal is wrong.', status: 400 }, 400)
  }
  const { lastInsertRowid } = insert.run(name, categoryId, status ?? null)
  return context.json({ id: Number(lastInsertRowid), name, categoryId, status }, 201)
})

const tls = cert && key ? { cert: Bun.file(cert), key: Bun.file(key) } : undefined
Bun.serve({ hostname: '127.0.0.1', port: Number(PORT), fetch: app.fetch, ...(tls && { tls }) })
