import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { credentialFor, requests, startShop } from '../support/operations.ts'

const origin = 'https://shop.example'

/** What a page may read without being told so, and what concerns the browser, a cache or the connection alone. */
const notExposed = new Set([
  'cache-control',
  'content-length',
  'content-type',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'connection',
  'content-encoding',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
])

test('CORS exposes exactly the headers that the service sends and clients can use', async (t) => {
  const sent = new Set<string>()
  let exposed: string | null = null

  for (const answer of await answersOfEveryKind(t)) {
    for (const name of answer.headers.keys()) sent.add(name)
    exposed = answer.headers.get('access-control-expose-headers')
    assert.notEqual(exposed, null)
  }

  const usable = [...sent].filter((name) => !notExposed.has(name))
  assert.deepEqual(exposed?.toLowerCase().split(', ').toSorted(), usable.toSorted())
})

/** Every operation, well and badly asked, and every kind of answer beside. */
async function answersOfEveryKind(t: Parameters<typeof startApp>[0]): Promise<Answer[]> {
  const app = await startShop(t, { corsOrigins: [origin], rateLimit: 10_000 })
  const answers: Answer[] = []
  const ask = asker(app, answers)
  for (const [id, [start, body, type]] of Object.entries(requests)) {
    const proper = { ...credentialFor(id), ...(type !== undefined && { 'content-type': type }) }
    const path = start.split(' ')[1] as string
    await ask(start, body, proper)
    await ask(start, body, { authorization: 'Bearer unknown' })
    await ask(start, body, { ...proper, 'idempotency-key': 'a', prefer: 'count=exact, handling=strict' })
    await ask(start, body, { ...proper, 'idempotency-key': 'a' })
    await ask(start, body, { 'if-match': '"x"', 'if-none-match': '*' })
    await ask(start, 'no JSON', { 'content-type': 'text/plain' })
    await ask(start, '{}', { 'content-encoding': 'gzip' })
    await ask(`OPTIONS ${path}`)
    await ask(`OPTIONS ${path}`, undefined, { 'access-control-request-method': 'GET', authorization: '' })
    await ask(`UNLINK ${path}`)
    await ask(`GET ${path}?limit=1`)
    await ask(`GET ${path}?limit=0`)
  }
  const limited = asker(await startApp(t, { corsOrigins: [origin], rateLimit: 1 }), answers)
  for (let times = 0; times < 2; times++) await limited('GET /v1/pets')
  return answers
}

function asker({ send }: TestApp, answers: Answer[]) {
  return async (start: string, body?: string, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = start.split(' ')
    const sent = method === 'GET' ? undefined : body
    const type = sent === undefined ? {} : { 'content-type': 'application/json' }
    const init = { method, ...(sent !== undefined && { body: sent }), headers: { origin, ...type, ...headers } }
    answers.push(await send(path, init))
  }
}
