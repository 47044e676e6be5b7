import assert from 'node:assert/strict'
import { until } from '../support/until.ts'
import type { RunningShop } from './start.ts'

// What every shop that keeps the contract must pass, in few requests. It knows nothing of `petstore verify`.

type Json = Record<string, unknown>

interface NewPet {
  name: string
  categoryId: bigint
  status?: string
}

const newPets: readonly NewPet[] = [
  { name: 'Rex', categoryId: 1n },
  { name: 'Rex', categoryId: 0n, status: 'available' },
  { name: ' e\u0301 😀 <b>"&"</b> ', categoryId: -1n, status: 'pending' },
  { name: 'x'.repeat(300), categoryId: 9007199254740993n, status: 'sold' },
  { name: 'Tom', categoryId: 9223372036854775807n, status: 'sold' },
  { name: 'Tom', categoryId: -9223372036854775808n, status: 'sold' },
  ...Array.from({ length: 24 }, (_, number) => ({
    name: `Pet ${number}`,
    categoryId: BigInt(number),
    status: 'pending',
  })),
]

const invalidBodies = [
  '',
  '{',
  'null',
  '[]',
  '{}',
  '{"name":"Rex"}',
  '{"categoryId":1}',
  '{"name":5,"categoryId":1}',
  '{"name":"Rex","categoryId":"1"}',
  '{"name":"Rex","categoryId":1.5}',
  '{"name":"Rex","categoryId":true}',
  '{"name":"Rex","categoryId":9223372036854775808}',
  '{"name":"Rex","categoryId":1,"status":"lost"}',
  '{"name":"Rex","categoryId":1,"status":""}',
]

/** Throws where the shop breaks the contract. */
export async function smoke({ url, key }: RunningShop): Promise<void> {
  const send = async (method: string, path: string, body?: string, authorization = `Bearer ${key}`) => {
    // A shop may close a connection that is kept just when it is used.
    const connection = 'close'
    const headers = { ...(authorization !== '' && { authorization }), 'content-type': 'application/json', connection }
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
    assert.match(response.headers.get('content-type') ?? '', /^application\/json(;|$)/i, `${method} ${path}`)
    return { status: response.status, body: parse(await response.text()) }
  }
  const list = async (query = '') => {
    const { status, body } = await send('GET', `/pets${query}`)
    assert.equal(status, 200)
    assert.ok(Array.isArray(body))
    return body as Json[]
  }
  const assertError = ({ status, body }: { status: number; body: unknown }, expected: number) => {
    const { code, message, status: number } = body as Json
    assert.deepEqual(
      [status, typeof code, typeof message, number],
      [expected, 'string', 'string', BigInt(expected)],
      JSON.stringify([code, message]),
    )
  }

  for (const authorization of ['', `Bearer ${key}x`, `Bearer ${key.slice(0, -1)}`, `Basic ${key}`, key]) {
    assertError(await send('GET', '/pets?limit=1&status=sold', undefined, authorization), 401)
    assertError(await send('GET', '/pets/1', undefined, authorization), 401)
    assertError(await send('POST', '/pets', '{}', authorization), 401)
  }
  const ids = new Set<unknown>()
  for (const newPet of newPets) {
    const { status, body } = await send('POST', '/pets', textOf(newPet))
    const { id, ...rest } = body as Json
    assert.equal(status, 201)
    assert.equal(typeof id, 'bigint')
    assert.deepEqual({ ...rest, ...newPet }, rest)
    assert.deepEqual(await send('GET', `/pets/${String(id)}`), { status: 200, body })
    ids.add(id)
  }
  assert.equal(ids.size, newPets.length)
  await until(async () => (await list('?limit=100')).filter((pet) => ids.has(pet['id'])).length === ids.size, 2000)

  const before = (await list('?limit=100')).length
  for (const body of invalidBodies) assertError(await send('POST', '/pets', body), 400)
  assert.equal((await list('?limit=100')).length, before)
  assert.equal((await list()).length, 20)
  assert.equal((await list('?limit=1')).length, 1)
  for (const status of ['available', 'pending', 'sold']) {
    const found = await list(`?status=${status}`)
    assert.ok(found.length > 0 && found.length <= 20 && found.every((pet) => pet['status'] === status))
    assert.equal((await list(`?limit=1&status=${status}`)).length, 1)
  }
  for (const id of ['4611686018427387000', '-5'])
    assertError(await send('GET', `/pets/${ids.has(BigInt(id)) ? 77777 : id}`), 404)
}

/** Integers as BigInt. */
function parse(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? 0) : value,
  )
}

function textOf({ name, categoryId, status }: NewPet): string {
  return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${status === undefined ? '' : `,"status":"${status}"`}}`
}
