import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import fastify from 'fastify'
import { newPet, type NewPet } from './new-pet.ts'

// What one would write in an hour, with the same promise of durability: one connection, one commit per create.
const { DATABASE = '', PORT = '' } = process.env
const db = new DatabaseSync(DATABASE)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')

const columns = 'SELECT id, name, category_id AS categoryId, status FROM pets'
const findKey = db.prepare('SELECT 1 FROM api_keys WHERE hash = ?')
const list = db.prepare(`${columns} WHERE id > ? ORDER BY id LIMIT ?`)
const listByStatus = db.prepare(`${columns} WHERE status = ? AND id > ? ORDER BY id LIMIT ?`)
const find = db.prepare(`${columns} WHERE id = ?`)
const insert = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)')

const query = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status: { type: 'string', enum: ['available', 'pending', 'sold'] },
    after: { type: 'integer', default: 0 },
  },
}

const app = fastify()

app.addHook('onRequest', async (request, reply) => {
  const secret = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(secret).digest('hex')
  if (findKey.get(hash) === undefined) {
    return reply.code(401).send({ code: 'unauthorized', message: 'Send a valid API key.', status: 401 })
  }
})

app.get<{ Querystring: { limit: number; status?: string; after: number } }>(
  '/v1/pets',
  { schema: { querystring: query } },
  async ({ query: { limit, status, after } }) =>
    status === undefined ? list.all(after, limit) : listByStatus.all(status, after, limit),
)

app.get<{ Params: { petId: string } }>('/v1/pets/:petId', async (request, reply) => {
  const pet = find.get(Number(request.params.petId))
  return pet ?? reply.code(404).send({ code: 'not_found', message: 'No animal has this id.', status: 404 })
})

app.post<{ Body: NewPet }>('/v1/pets', { schema: { body: newPet } }, async (request, reply) => {
  const { name, categoryId, status } = request.body
  const { lastInsertRowid } = insert.run(name, categoryId, status ?? null)
  reply.code(201)
  return { id: lastInsertRowid, name, categoryId, status }
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
