import fastify from 'fastify'
import { newPet, type NewPet } from './new-pet.ts'
import { sameBytes } from './same-bytes.ts'

// Fastify with everything but the work: it checks the body and counts, and keeps nothing. No key, no log.
const { BYTES = '', PORT = '' } = process.env
const { answerTo } = sameBytes(BYTES)
let lastId = 0

const app = fastify()
app.get('/v1/pets', (request, reply) => reply.type('application/json').send(answerTo(request.url)))
app.get('/v1/pets/:petId', (request, reply) => reply.type('application/json').send(answerTo(request.url)))
app.post<{ Body: NewPet }>('/v1/pets', { schema: { body: newPet } }, async (request, reply) => {
  reply.code(201)
  return { id: ++lastId, ...request.body }
})
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
