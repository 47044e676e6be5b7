import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyLimit } from '../../src/contract/body-limit.ts'
import { methodsWithBody } from '../../src/contract/operation.ts'
import { operations } from '../../src/contract/operations/operations.ts'
import { rawRequest, readAnswers, type Answer } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { credentialFor, requests, startShop } from '../support/operations.ts'

// Rules of the whole service, for every operation that it has.

const [reads, paths] = [new Map<string, string>(), new Map<string, Set<string>>()]
for (const { id, method, path } of operations) {
  const address = requests[id]?.[0].split(' ')[1] ?? ''
  if (method === 'GET') reads.set(id, address)
  paths.set(path, (paths.get(path) ?? new Set()).add(method))
}

/** Those headers that belong to what was asked for, not to the moment or to the connection. */
function lasting(headers: Headers): [string, string][] {
  const ofTheMoment = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding'])
  return [...headers].filter(([name]) => !ofTheMoment.has(name))
}

test('HEAD works wherever GET does, for every operation', async (t) => {
  const { send } = await startShop(t)

  for (const [id, path] of reads) {
    const headers = credentialFor(id)
    const get = await send(path, { headers })
    const head = await send(path, { method: 'HEAD', headers })
    assert.deepEqual([get.status, head.status, head.text], [200, 200, ''], id)
    assert.deepEqual(lasting(head.headers), lasting(get.headers), id)
  }
})

test('every read but a file has an ETag, and If-None-Match with it gets 304', async (t) => {
  const { send } = await startShop(t)

  for (const [id, path] of reads) {
    const headers = credentialFor(id)
    const etag = (await send(path, { headers })).headers.get('etag')
    if (id.startsWith('export')) {
      assert.equal(etag, null, id)
      continue
    }
    assert.match(etag ?? '', /^"[\x21\x23-\x7e]+"$/, id)
    const again = await send(path, { headers: { ...headers, 'if-none-match': etag ?? '' } })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], id)
  }
})

test('every operation whose body is read refuses a large one, also if it has no body', async (t) => {
  const { send } = await startShop(t)

  for (const { id, method, body, files } of operations) {
    if (!methodsWithBody.has(method) || body !== undefined || files !== undefined) continue
    const path = requests[id]?.[0].split(' ')[1] ?? ''
    assertError(
      await send(path, { method, headers: credentialFor(id), body: 'x'.repeat(bodyLimit + 1) }),
      'payload_too_large',
    )
  }
})

test('every path refuses a method that no operation of it has, with Allow', async (t) => {
  const app = await startShop(t)

  for (const { id, path } of operations) {
    const address = requests[id]?.[0].split(' ')[1] ?? ''
    const own = paths.get(path) as Set<string>
    const allow = [...own, 'OPTIONS', ...(own.has('GET') ? ['HEAD'] : [])].toSorted().join(', ')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'].filter((each) => !own.has(each))) {
      const head = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`]
      const answer = readAnswers(await app.sendRaw(rawRequest(`${method} ${address}`, head)))[0] as Answer
      assertError(answer, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), allow, `${method} ${address}`)
    }
  }
})

test('every operation refuses a parameter that is given twice or has no value, and names it', async (t) => {
  const { send } = await startShop(t)
  let count = 0

  for (const { id, method, parameters } of operations) {
    for (const [name, schema] of Object.entries(parameters?.query?.properties ?? {})) {
      const [start, body, type = 'application/json'] = requests[id] as [string, string?, string?]
      const path = start.split(' ')[1]
      const example = String((schema as { examples?: (string | number)[] }).examples?.[0] ?? 1)
      for (const sent of [
        `${name}=${encodeURIComponent(example)}&${name}=${encodeURIComponent(example)}`,
        `${name}=`,
      ]) {
        const answer = await send(`${path}?${sent}`, {
          method,
          ...(body !== undefined && { body, headers: { 'content-type': type } }),
        })
        assert.equal(answer.status, 400, `${id} ${sent}: ${answer.status} ${answer.text}`)
        assertError(answer, 'invalid_parameter')
        assert.match((answer.body as { message: string }).message, new RegExp(name), `${id} ${sent}`)
        count++
      }
    }
  }
  assert.ok(count > 60, String(count))
})

const notOneObject = [
  '',
  '{',
  '{}x',
  '{} {}',
  'null',
  '[]',
  '5',
  '"x"',
  '{"a":"\\ud800"}',
  Buffer.from([0x7b, 0xff, 0x7d]),
]

test('every body of JSON is one object in UTF-8, without a coding, of at most 64 KiB', async (t) => {
  const { send } = await startShop(t)

  for (const [id, [start, body, type]] of Object.entries(requests)) {
    if (body === undefined || type !== undefined) continue
    const [method = '', path = ''] = start.split(' ')
    const ask = (sent: string | Buffer, headers: Record<string, string> = {}) =>
      send(path, { method, body: sent as string, headers: { 'content-type': 'application/json', ...headers } })
    for (const sent of notOneObject) {
      const answer = await ask(sent)
      assert.equal(answer.status, 400, `${id} ${String(sent)}: ${answer.status} ${answer.text}`)
      assertError(answer, 'invalid_body')
    }
    assertError(await ask(body, { 'content-type': 'text/plain' }), 'unsupported_media_type')
    assertError(await ask(body, { 'content-encoding': 'gzip' }), 'unsupported_media_type')
    assertError(await ask(body.padEnd(64 * 1024 + 1)), 'payload_too_large')
  }
})
