import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Imports } from '../../src/inventory/imports.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import { rawRequest, startApp, type TestApp } from '../support/app.ts'
import { postgres, temporaryFolder } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { openRawClient } from '../support/raw-client.ts'
import { until } from '../support/until.ts'

/** More than the buffers of two sockets hold: a client can send it only if the service reads it. */
const rest = row('Rest').repeat(500_000)
/** More than a batch. */
const batch = row('Rex').repeat(2_500)

type Options = Parameters<typeof startApp>[1]

interface Refusal {
  code: Parameters<typeof assertError>[1]
  options?: Options
  headers?: string[]
  /** Before the request. */
  prepare?(app: TestApp, key: string): Promise<unknown>
  /** Once the first batch is stored, before the rest is sent. */
  meanwhile?(app: TestApp): Promise<unknown>
  /** Sent between the first batch and the rest. */
  bytes?: string
}

const refusals: Record<string, Refusal> = {
  'it is no file of animals': { code: 'invalid_body', bytes: chunk('x'.repeat(1_200_000)) },
  'its key was revoked': {
    code: 'unauthorized',
    meanwhile: ({ storage }) => storage.keys.revoke('key_import', Date.now()),
  },
  'it is too large': { code: 'payload_too_large', options: { importLimits: { maxBytes: 1_000_000 } } },
  'its Idempotency-Key was used with another file': {
    code: 'idempotency_mismatch',
    headers: ['Idempotency-Key: k'],
    prepare: ({ send }, key) =>
      send('/v1/pets/import', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson', 'idempotency-key': 'k' },
        body: row('Tom'),
      }),
  },
  'the storage is not available': { code: 'unavailable', meanwhile: (app) => failNextBatch(app, unavailable('Busy.')) },
  'the service has a bug': { code: 'internal', meanwhile: (app) => failNextBatch(app, new Error('a bug')) },
  'a chunk is invalid': { code: 'invalid_request', bytes: 'zz\r\n' },
}

for (const [reason, refusal] of Object.entries(refusals)) {
  test(`a client that sends a whole import before it reads learns that ${reason}`, (t) => check(t, refusal))
}

test('the same on PostgreSQL', (t) => check(t, refusals['it is no file of animals'] as Refusal, { engine: postgres }))

async function check(t: TestContext, refusal: Refusal, options: Options = {}): Promise<void> {
  const app = await startApp(t, { ...options, ...refusal.options })
  const { secret } = await app.makeKey({ id: 'key_import' })
  await refusal.prepare?.(app, secret)
  const before = await app.storage.pets.count({})
  const client = openRawClient(t, app)
  client.socket.pause()

  await client.write(head(secret, ['Transfer-Encoding: chunked', ...(refusal.headers ?? [])]) + chunk(batch))
  if (refusal.code !== 'idempotency_mismatch') await until(async () => (await app.storage.pets.count({})) > before)
  await refusal.meanwhile?.(app)
  await client.write(`${refusal.bytes ?? ''}${chunk(rest)}0\r\n\r\n`)
  client.socket.resume()
  const answer = await client.answer()

  assertError(answer, refusal.code)
  assert.equal(answer.headers.get('connection'), 'close')
  await app.storage.imports.add([])
  const added = (await app.storage.pets.count({})) - before
  const { message } = answer.body as { message: string }
  if (refusal.code === 'idempotency_mismatch') assert.equal(added, 0n)
  else assert.ok(message.includes(`${added} animals were added.`), message)
}

test('an all-or-nothing import that is refused in its middle adds nothing', async (t) => {
  const app = await startApp(t)
  for (const bytes of [chunk('x'.repeat(1_200_000)), 'zz\r\n']) {
    const client = openRawClient(t, app)

    await client.write(head(app.key, ['Transfer-Encoding: chunked'], '?mode=all-or-nothing') + chunk(batch) + bytes)
    const answer = await client.answer()

    assert.equal(answer.status, 400)
    assert.match(answer.text, /No animals were added\./)
    await app.storage.imports.add([])
    assert.equal(await app.storage.pets.count({}), 0n)
  }
})

/** Clients that send everything before they read (Python), or stop when they have a response (curl). */
const programs: Record<string, (url: string, key: string, file: string) => [program: string, args: string[]]> = {
  curl: (url, key, file) => [
    'curl',
    [
      '-sS',
      '-w',
      '%{http_code}',
      '-H',
      `Authorization: Bearer ${key}`,
      '-H',
      'Content-Type: application/x-ndjson',
    ].concat(['-H', 'Expect:', '--data-binary', `@${file}`, url]),
  ],
  python3: (url, key, file) => ['python3', ['-c', uploadInPython, new URL(url).host, new URL(url).pathname, key, file]],
}

const uploadInPython = `
import http.client, sys
host, path, key, file = sys.argv[1:]
connection = http.client.HTTPConnection(host)
headers = {'Authorization': 'Bearer ' + key, 'Content-Type': 'application/x-ndjson'}
connection.request('POST', path, open(file, 'rb').read(), headers)
response = connection.getresponse()
print(response.read().decode(), response.status)
`

for (const [name, command] of Object.entries(programs)) {
  test(`${name} sees the refusal of a large import`, { skip: missing(name) }, async (t) => {
    const app = await startApp(t)
    const file = join(temporaryFolder(t), 'pets.ndjson')
    writeFileSync(file, `${batch}${'x'.repeat(1_200_000)}${rest}`)

    const { stdout } = await promisify(execFile)(...command(`${app.origin}/v1/pets/import`, app.key, file))

    assert.match(stdout, /"code":"invalid_body".* animals were added\..*400\s*$/)
  })
}

function missing(program: string): string | false {
  return spawnSync(program, ['--version']).status === 0 ? false : `${program} is not installed`
}

function row(name: string): string {
  return `{"name":"${name}","categoryId":1}\n`
}

function chunk(bytes: string): string {
  return `${bytes.length.toString(16)}\r\n${bytes}\r\n`
}

function head(key: string, headers: readonly string[], query = ''): string {
  const type = 'Content-Type: application/x-ndjson'
  return rawRequest(`POST /v1/pets/import${query}`, [
    'Host: petstore',
    `Authorization: Bearer ${key}`,
    type,
    ...headers,
  ])
}

/** The next batch is not stored. */
async function failNextBatch({ storage }: TestApp, error: Error): Promise<void> {
  const imports = storage.imports as { add: Imports['add'] }
  const { add } = imports
  imports.add = async () => {
    imports.add = add
    throw error
  }
}
