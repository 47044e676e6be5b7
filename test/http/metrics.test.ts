import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const text = '# TYPE petstore_up gauge\npetstore_up 1\n'
const metrics = async () => text

test('/metrics returns the text format of Prometheus', async (t) => {
  const { send } = await startApp(t, { metrics })

  const answer = await send('/metrics')

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.text, text)
})

test('/metrics requires a key', async (t) => {
  const { origin } = await startApp(t, { metrics })

  const response = await fetch(`${origin}/metrics`)

  assert.equal(response.status, 401)
  assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="petstore"')
})

test('/metrics refuses a bad key like every operation', async (t) => {
  const { send } = await startApp(t, { metrics })
  const headers = { authorization: 'Bearer x' }

  const answer = await send('/metrics', { headers })

  assertError(answer, 'unauthorized')
  assert.equal(answer.text, (await send('/v1/pets', { headers })).text)
})

test('/metrics accepts a read key', async (t) => {
  const { send, makeKey } = await startApp(t, { metrics })
  const { secret } = await makeKey({ permission: 'read' })

  const answer = await send('/metrics', { headers: { authorization: `Bearer ${secret}` } })

  assert.equal(answer.status, 200)
})

test('/metrics is not found if it has a port of its own', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/metrics')

  assertError(answer, 'not_found')
})

test('/metrics returns 500 if it fails', async (t) => {
  const { send, failures } = await startApp(t, { metrics: () => Promise.reject(new Error('registry')) })

  const answer = await send('/metrics')

  assertError(answer, 'internal')
  assert.match(String(failures[0]), /registry/)
})
