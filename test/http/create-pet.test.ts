import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { json, postRaw, rex } from '../support/create-bodies.ts'

test('Location is the absolute address of the new animal', async (t) => {
  const { create, send, origin } = await startApp(t)
  await create({ name: 'Tom', categoryId: 1 })

  const created = await create({ name: 'Rex', categoryId: 7 })

  const location = created.headers.get('location') ?? ''
  assert.equal(location, `${origin}/v1/pets/2`)
  const { text, headers } = await send(location.slice(origin.length))
  assert.equal(text, created.text)
  assert.equal(headers.get('etag'), created.headers.get('etag'))
})

test('Location starts at the configured base address', async (t) => {
  const { create } = await startApp(t, { baseUrls: { production: 'https://petstore.example/v1' } })

  const answer = await create({ name: 'Rex', categoryId: 7 })

  assert.equal(answer.headers.get('location'), 'https://petstore.example/v1/pets/1')
})

test('Location is relative to the root if the Host header is empty', async (t) => {
  const app = await startApp(t)

  const [answer] = await postRaw(app, [`Content-Length: ${rex.length}`], rex, '')

  assert.equal(answer?.status, 201)
  assert.equal(answer?.headers.get('location'), '/v1/pets/1')
})

test('ids are 1, 2, 3; refused requests use no id', async (t) => {
  const { create } = await startApp(t)

  const ids = []
  for (let count = 0; count < 3; count++) {
    ids.push(((await create(rex)).body as { id: number }).id)
    await create({ name: '', categoryId: 1 })
    await create('{')
  }

  assert.deepEqual(ids, [1, 2, 3])
})

test('query parameters are ignored', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets?limit=0&status=lost&name=Tom', { method: 'POST', headers: json, body: rex })

  assert.equal(answer.text, '{"id":1,"name":"Rex","categoryId":1}')
})
