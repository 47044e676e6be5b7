import { createHash } from 'node:crypto'
import express from 'express'
import { Pool, types } from 'pg'
import type { NewPet } from './new-pet.ts'

// What one would write in an hour: a pool, a query for the key, a query for the answer. The durability is the server's.
const { DATABASE_URL = '', PORT = '' } = process.env
const int8 = 20
types.setTypeParser(int8, Number)
const pool = new Pool({ connectionString: DATABASE_URL })

const columns = 'SELECT id, name, category_id AS "categoryId", status FROM pets'
const statuses = new Set(['available', 'pending', 'sold'])
const app = express()

app.use(async (request, response, next) => {
  const secret = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(secret).digest('hex')
  const { rowCount } = await pool.query('SELECT 1 FROM api_keys WHERE hash = $1', [hash])
  if (rowCount === 1) return next()
  return response.status(401).json({ code: 'unauthorized', message: 'Send a valid API key.', status: 401 })
})
app.use(express.json())

app.get('/v1/pets', async (request, response) => {
  const { limit = '20', after = '0', status } = request.query
  const right = Number(limit) >= 1 && Number(limit) <= 100 && Number.isInteger(Number(after))
  if (!right || (status !== undefined && !statuses.has(status))) {
    return response.status(400).json({ code: 'invalid_parameter', message: 'A parameter is wrong.', status: 400 })
  }
  const { rows } =
    status === undefined
      ? await pool.query(`${columns} WHERE id > $1 ORDER BY id LIMIT $2`, [after, limit])
      : await pool.query(`${columns} WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3`, [status, after, limit])
  return response.json(rows)
})

app.get('/v1/pets/:petId', async (request, response) => {
  const { rows } = await pool.query(`${columns} WHERE id = $1`, [request.params['petId']])
  if (rows[0] !== undefined) return response.json(rows[0])
  return response.status(404).json({ code: 'not_found', message: 'No animal has this id.', status: 404 })
})

app.post('/v1/pets', async (request, response) => {
  const { name, categoryId, status } = request.body as NewPet
  if (typeof name !== 'string' || !Number.isInteger(categoryId) || (status && !statuses.has(status))) {
    return response.status(400).json({ code: 'invalid_body', message: 'The animal is wrong.', status: 400 })
  }
  const { rows } = await pool.query(
    'INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING id, name, category_id AS "categoryId", status',
    [name, categoryId, status],
  )
  return response.status(201).json(rows[0])
})

app.listen(Number(PORT), '127.0.0.1')
