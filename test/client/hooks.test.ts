import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isPetStoreError,
  type RequestInfo,
  type ResponseInfo,
  responseOf,
  type RetryInfo,
  UnexpectedResponseError,
} from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { htmlAnswer, rateLimited, refusal } from '../support/made-up-answers.ts'

test('hooks are told of each request, response and retry', async (t) => {
  const requests: RequestInfo[] = []
  const responses: ResponseInfo[] = []
  const retries: RetryInfo[] = []
  const { petstore, proxy } = await startClient(t, {
    onRequest: (request) => requests.push(request),
    onResponse: (response) => responses.push(response),
    onRetry: (retry) => retries.push(retry),
  })
  proxy.next(rateLimited, 'reset')

  const pet = await petstore.pets.create({ name: 'Rex', categoryId: 1 })

  assert.deepEqual(
    requests.map(({ operation, attempt, method, url }) => [operation, attempt, method, url]),
    [1, 2, 3].map((attempt) => ['createPet', attempt, 'POST', `${proxy.origin}/v1/pets`]),
  )
  assert.deepEqual(
    responses.map(({ attempt, status }) => [attempt, status]),
    [
      [1, 429],
      [3, 201],
    ],
  )
  assert.ok(responses.every(({ durationMs, headers }) => durationMs > 0 && headers.get('content-type')))
  assert.deepEqual(
    retries.map(({ operation, attempt, error }) => [operation, attempt, error.name]),
    [
      ['createPet', 1, 'PetStoreError'],
      ['createPet', 2, 'ConnectionError'],
    ],
  )
  assert.ok(retries.every(({ delayMs }) => delayMs >= 0))
  assert.equal(responses[1]?.requestId, requests[0]?.requestId)
  assert.equal(responseOf(pet)?.requestId, requests[0]?.requestId)
})

test('onRequest may change the headers', async (t) => {
  const { petstore, proxy } = await startClient(t, {
    onRequest({ headers }) {
      headers['traceparent'] = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    },
  })

  await petstore.pets.count()

  assert.match(String(proxy.requests[0]?.headers['traceparent']), /^00-0af7/)
})

test('an invalid header that onRequest sets is a TypeError and sends nothing', async (t) => {
  const { petstore, proxy } = await startClient(t, {
    onRequest({ headers }) {
      headers['x-app'] = 'two\nlines'
    },
  })

  await assert.rejects(petstore.pets.create({ name: 'Rex', categoryId: 1 }), TypeError)
  assert.equal(proxy.requests.length, 0)
})

test('a result does not keep the text of its response', async (t) => {
  const { petstore } = await startClient(t)

  const pet = await petstore.pets.create({ name: 'Rex', categoryId: 1 })

  assert.deepEqual(Object.keys(responseOf(pet) ?? {}).toSorted(), ['headers', 'requestId', 'status'])
})

test('an error in a hook does not fail the call and is reported', async (t) => {
  const reported = t.mock.method(console, 'error', () => undefined)
  const fail = () => {
    throw new Error('A fault of the caller.')
  }
  const { petstore, proxy } = await startClient(t, { onRequest: fail, onResponse: fail, onRetry: fail })
  proxy.next(rateLimited)

  assert.equal(await petstore.pets.count(), 0)
  assert.equal(reported.mock.callCount(), 5)
})

test('responseOf returns the status, request id and headers of a result', async (t) => {
  const { petstore, service } = await startClient(t)

  const created = await petstore.pets.create({ name: 'Rex', categoryId: 1 })
  const found = await petstore.pets.find(1)
  const keys = await petstore.keys.list()
  const page = await petstore.pets.list().page()

  const ids = [created, found ?? {}, keys, page].map((result) => responseOf(result)?.requestId)
  assert.deepEqual(
    ids,
    service.answered.map(({ requestId }) => requestId),
  )
  assert.equal(responseOf(created)?.status, 201)
  assert.match(responseOf(created)?.headers.get('location') ?? '', /\/v1\/pets\/1$/)
  assert.equal(responseOf({ ...created }), undefined)
})

test('an error has the operation, the idempotency key and the response', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { maxAttempts: 1 } })
  const details = { 'invalid-fields': 'name, categoryId', 'x-request-id': 'of the service' }
  proxy.next(refusal(400, 'invalid_body', details), 'swallow')

  const refused = await petstore.pets.create({ name: '', categoryId: 1 }).catch((error: unknown) => error)
  assert.ok(isPetStoreError(refused))
  assert.equal(refused.operation, 'createPet')
  assert.deepEqual(refused.fields, ['name', 'categoryId'])
  assert.equal(refused.requestId, 'of the service')
  assert.equal(refused.response?.status, 400)
  assert.equal(refused.response?.headers.get('invalid-fields'), 'name, categoryId')
  assert.match(refused.response?.excerpt ?? '', /"code":"invalid_body"/)

  const { idempotencyKey, response } = (await petstore.pets
    .create({ name: 'Rex', categoryId: 1 })
    .catch((error: unknown) => error)) as typeof refused
  assert.equal(response, undefined)
  await petstore.pets.create({ name: 'Rex', categoryId: 1 }, { idempotencyKey })
  assert.equal(await petstore.pets.count(), 1)
})

test('an error without Invalid-Fields names no fields', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next(refusal(400, 'invalid_parameter'))

  await assert.rejects(petstore.pets.find(1), (error) => isPetStoreError(error) && error.fields.length === 0)
})

test('the status of an error is that of HTTP, whatever the body says', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const { headers = {}, body } = refusal(404, 'not_found')
  proxy.next({ status: 409, headers, body: body ?? '' })

  await assert.rejects(petstore.pets.get(1), { status: 409, code: 'not_found' })
})

test('an unexpected response shows where it leads and how it begins', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { maxAttempts: 1 } })
  proxy.next({ status: 302, headers: { location: 'https://login.example/' }, body: 'x'.repeat(5_000) }, htmlAnswer(502))
  const errors: UnexpectedResponseError[] = []

  for (let count = 0; count < 2; count++) {
    await petstore.pets.find(1).catch((error: UnexpectedResponseError) => errors.push(error))
  }

  const [redirect, gateway] = errors
  assert.match(redirect?.message ?? '', /status 302, .*, to https:\/\/login\.example\/\. Is baseUrl right\?$/)
  assert.equal(redirect?.response?.excerpt, 'x'.repeat(1_024))
  assert.match(gateway?.message ?? '', /status 502, text\/html\.$/)
  assert.equal(gateway?.response?.excerpt, '<h1>Hello</h1>')
})
