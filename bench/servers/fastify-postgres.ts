import { createHash } from 'node:crypto'
import fastify from 'fastify'
import { Pool, types } from 'pg'
import { newPet, type NewPet } from './new-pet.ts'

// What one would write in an hour: a pool, a query for the key, a query for the answer. The durability is the server's.
const { DATABASE_URL = '', PORT = '' } = process.env
const int8 = 20
types.setTypeParser(int8, Number)
const pool = new Pool({ connectionString: DATABASE_URL })

const columns = 'id, name, category_id AS "categoryId", status'
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
  const { rowCount } = await pool.query('SELECT 1 FROM api_keys WHERE hash = $1', [hash])
  if (rowCount !== 1) {
    return reply.code(401).send({ code: 'unauthorized', message: 'Send a valid API key.', status: 401 })
  }
})

app.get<{ Querystring: { limit: number; status?: string; after: number } }>(
  '/v1/pets',
  { schema: { querystring: query } },
  async ({ query: { limit, status, after } }) => {
    const { rows } =
      status === undefined
        ? await pool.query(`SELECT ${columns} FROM pets WHERE id > $1 ORDER BY id LIMIT $2`, [after, limit])
        : await pool.query(`SELECT ${columns} FROM pets WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3`, [
            status,
            after,
            limit,
          ])
    return rows
  },
)

app.get<{ Params: { petId: string } }>('/v1/pets/:petId', async (request, reply) => {
  const { rows } = await pool.query(`SELECT ${columns} FROM pets WHERE id = $1`, [request.params.petId])
  return rows[0] ?? reply.code(404).send({ code: 'not_found', message: 'No animal has this id.', status: 404 })
})

app.post<{ Body: NewPet }>('/v1/pets', { schema: { body: newPet } }, async (request, reply) => {
  const { name, categoryId, status } = request.body
  const insert = `INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${columns}`
  const { rows } = await pool.query(insert, [name, categoryId, status])
  reply.code(201)
  return rows[0]
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
