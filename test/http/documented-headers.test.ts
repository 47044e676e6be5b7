import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import type { Answer, TestApp } from '../support/app.ts'
import { credentialFor, requests, startShop } from '../support/operations.ts'

/** What every response may have, and what concerns a cache or the connection alone. */
const common = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
])

interface Described {
  operationId: string
  responses: Record<string, { $ref?: string; headers?: Record<string, unknown> }>
}

const { paths, components } = openApiDocument() as unknown as {
  paths: Record<string, Record<string, Described>>
  components: { responses: Record<string, { headers: Record<string, unknown> }> }
}
const operations = new Map(
  Object.values(paths).flatMap((path) => Object.values(path).map((each) => [each.operationId, each] as const)),
)

/** The headers that the document gives a response, in lower case. Undefined if it does not have the response. */
function documentedHeaders(operationId: string, status: number): string[] | undefined {
  const response = operations.get(operationId)?.responses[status]
  const name = response?.$ref?.replace('#/components/responses/', '')
  const { headers } = (name === undefined ? response : components.responses[name]) ?? {}
  return headers && Object.keys(headers).map((header) => header.toLowerCase())
}

const strict = { prefer: 'handling=strict, count=exact' }

for (const [operationId, [start, body, type = 'application/json']] of Object.entries(requests)) {
  test(`${operationId} sends only headers that the document has`, async (t) => {
    const app = await startShop(t, { rateLimit: 1_000 })
    const { secret: reader } = await app.makeKey({ permission: 'read' })
    const [method = '', path = ''] = start.split(' ')
    const missing = path.replace(/\/(1|2|key_other)(?=\/|$)/, '/999')
    const answers: Answer[] = []
    const ask = async (headers: Record<string, string>, sent = body, to = path) =>
      void answers.push(
        await send(app, method, to, sent, { 'content-type': type, ...credentialFor(operationId), ...headers }),
      )

    await ask({ authorization: 'Bearer unknown', ...strict })
    await ask({ authorization: `Bearer ${reader}`, ...strict })
    await ask({ ...strict, 'if-match': '"x"' })
    await ask({ ...strict, 'if-none-match': '*' })
    await ask(strict, body, `${path}?unknown=1`)
    await ask(strict, body, `${path}?limit=1`)
    await ask({ ...strict, 'if-none-match': '*' }, body, `${path}?limit=1`)
    await ask({ ...strict, 'if-match': '"x"' }, body, `${path}?limit=1`)
    await ask(strict, body, missing)
    await ask(strict, body, `${path}?${'x'.repeat(5_000)}`)
    if (body !== undefined) {
      await ask({ ...strict, 'content-type': 'text/plain' })
      await ask({ ...strict, 'content-encoding': 'gzip' })
      await ask(strict, '{}')
      await ask(strict, '{')
      await ask(strict, `${body}${' '.repeat(70_000)}`)
      await ask({ ...strict, 'idempotency-key': 'k' })
      await ask({ ...strict, 'idempotency-key': 'k' })
      await ask({ ...strict, 'idempotency-key': 'k' }, body.replace(/Rex|Dogs|1/, '2'))
    }
    await ask(strict)
    await ask(strict)
    await ask({})

    for (const { status, headers, text } of answers) {
      const documented = documentedHeaders(operationId, status)
      const sent = [...headers.keys()].filter((name) => !common.has(name))
      assert.ok(documented !== undefined, `${operationId} ${status} is not documented: ${text}`)
      assert.deepEqual(
        sent.filter((name) => !documented.includes(name)),
        [],
        `${operationId} ${status}: ${text.slice(0, 200)}`,
      )
    }
    assert.ok(new Set(answers.map(({ status }) => status)).size >= 4)
  })
}

function send(app: TestApp, method: string, path: string, body: string | undefined, headers: Record<string, string>) {
  const { 'content-type': type = '', ...rest } = headers
  if (body === undefined) return app.send(path, { method, headers: rest })
  return app.send(path, { method, headers: { ...rest, 'content-type': type }, body })
}
