import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { ErrorCode } from '../../src/contract/error.ts'
import { type Answer, readAnswers, type Requests } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import {
  anyText,
  encode,
  exactly,
  type GivenPet,
  int64,
  name,
  newPet,
  oneOf,
  runs,
  statuses,
  visible,
  type WirePet,
} from '../support/generated-pets.ts'
import { startTarget } from '../support/target.ts'

test('any JSON value is added exactly as sent or refused as invalid_body', async (t) => {
  const { create, send, failures } = await startTarget(t)
  const anyValue = fc.oneof(fc.jsonValue(), anyText, fc.double(), int64.map(String), fc.constantFrom(...statuses))
  const almost = fc.record(
    {
      name: fc.oneof({ weight: 4, arbitrary: name }, { weight: 1, arbitrary: anyValue }),
      categoryId: fc.oneof({ weight: 4, arbitrary: fc.maxSafeInteger() }, { weight: 1, arbitrary: anyValue }),
      status: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...statuses) }, { weight: 1, arbitrary: anyValue }),
      id: anyValue,
      other: anyValue,
    },
    { requiredKeys: ['name'] },
  )

  const value = fc.oneof({ weight: 1, arbitrary: anyValue }, { weight: 4, arbitrary: almost })
  const property = fc.asyncProperty(value, async (value) => {
    await assertKeptOrRefused({ create, send }, JSON.stringify(value))
  })

  await fc.assert(property, runs)
  assert.deepEqual(failures, [])
})

test('any JSON number is an exact int64 or refused as invalid_body', async (t) => {
  const { create } = await startTarget(t)
  const digits = fc.string({ unit: oneOf('0123456789'), minLength: 1, maxLength: 24 })
  const whole = digits.map((text) => text.replace(/^0+(?=.)/, ''))
  const exponent = fc.tuple(fc.constantFrom('', '+', '-'), fc.oneof(fc.nat({ max: 30 }), fc.nat()))
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      whole,
      fc.option(fc.oneof(digits, fc.constantFrom('0', '00', '000')), { nil: undefined }),
      fc.option(exponent, { nil: undefined }),
    )
    .map(([sign, whole, fraction, exponent]) => ({ sign, whole, fraction: fraction ?? '', exponent }))

  const property = fc.asyncProperty(number, async ({ sign, whole, fraction, exponent }) => {
    const power = exponent === undefined ? 0 : Number(exponent[0] + exponent[1])
    const text =
      sign + whole + (fraction && `.${fraction}`) + (exponent === undefined ? '' : `e${exponent[0]}${exponent[1]}`)

    const answer = await create(`{"name":"Rex","categoryId":${text}}`)

    const expected = int64Of(sign, whole + fraction, power - fraction.length)
    if (expected === undefined) return assertError(answer, 'invalid_body')
    assert.equal(answer.status, 201, `${text}: ${answer.text}`)
    assert.equal((exactly(answer.text) as { categoryId: string }).categoryId, String(expected), text)
  })

  await fc.assert(property, runs)
})

test('any bytes are added exactly as sent or refused as invalid_body', async (t) => {
  const { send, failures } = await startTarget(t)
  const damaged = fc
    .tuple(newPet.map(encode), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 2 }))
    .map(([text, changes]) => {
      const bytes = Buffer.from(text)
      for (const [index, byte] of changes) bytes[index % bytes.length] = byte
      return bytes
    })
  const bytes = fc.oneof(
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)) },
    { weight: 3, arbitrary: damaged },
  )

  const property = fc.asyncProperty(bytes, async (body) => {
    const headers = { 'content-type': 'application/json' }
    const create = () => send('/v1/pets', { method: 'POST', headers, body })
    await assertKeptOrRefused({ create, send }, body.toString())
  })

  await fc.assert(property, runs)
  assert.deepEqual(failures, [])
})

test('any query returns a matching page or invalid_parameter, and one with a fragment invalid_request', async (t) => {
  const app = await startTarget(t)
  for (const pet of fc.sample(newPet, { seed: runs.seed, numRuns: 30 })) await app.create(encode(pet))
  const text = fc.string({ unit: oneOf(visible), maxLength: 20 })
  const escaped = fc.uint8Array({ maxLength: 4 }).map((bytes) => Array.from(bytes, percent).join(''))
  const parameter = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('limit', 'status', 'id', 'categoryId', 'cursor') },
    { weight: 1, arbitrary: text },
  )
  const value = fc.oneof(
    fc.integer({ min: -2, max: 120 }).map(String),
    fc.constantFrom(...statuses),
    int64.map(String),
    text,
    escaped,
  )
  const pair = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(parameter, value).map(([name, value]) => `${name}=${value}`) },
    { weight: 1, arbitrary: text },
  )
  const query = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'))

  const property = fc.asyncProperty(query, async (query) => {
    const answer = await sendHead(app, `GET /v1/pets?${query} HTTP/1.1`, [])

    if (query.includes('#')) return assertError(answer, 'invalid_request')
    if (answer.status !== 200) return assertError(answer, 'invalid_parameter')
    const asked = new URLSearchParams(query)
    const pets = exactly(answer.text) as WirePet[]
    assert.ok(pets.length <= Number(asked.get('limit') ?? 20))
    for (const member of ['id', 'categoryId', 'status'] as const) {
      const wanted = asked.get(member)
      if (wanted !== null) for (const pet of pets) assert.equal(pet[member], wanted)
    }
  })

  await fc.assert(property, runs)
  assert.deepEqual(app.failures, [])
})

test('any id returns that animal or 404', async (t) => {
  const { create, send, failures } = await startTarget(t)
  for (let id = 1; id <= 9; id++) await create('{"name":"Rex","categoryId":1}')
  const id = fc.oneof(
    fc.integer({ min: -5, max: 20 }).map(String),
    int64.map(String),
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: oneOf('0123456789.+-e x'), minLength: 1 }),
  )

  const property = fc.asyncProperty(
    id.filter((text) => text !== '.' && text !== '..'),
    async (id) => {
      const answer = await send(`/v1/pets/${encodeURIComponent(id)}`)

      if (!/^[1-9]$/.test(id)) return assertError(answer, 'not_found')
      assert.equal(answer.text, `{"id":${id},"name":"Rex","categoryId":1}`)
    },
  )

  await fc.assert(property, runs)
  assert.deepEqual(failures, [])
})

test('any headers get a response other than 500', async (t) => {
  const app = await startTarget(t, { corsOrigins: ['https://shop.example'] })
  // Enough for a page that is compressed.
  for (let count = 0; count < 20; count++) await app.create('{"name":"Rex","categoryId":1}')
  const names =
    'Accept Accept-Encoding Authorization Content-Encoding Content-Type Cookie Expect Forwarded Host Idempotency-Key ' +
    'If-Match If-Modified-Since If-None-Match Origin Prefer Range Referer Traceparent User-Agent X-Forwarded-Host ' +
    'X-Request-Id'
  const value = fc.oneof(
    { weight: 1, arbitrary: fc.string({ unit: character(0x00, 0xff) }) },
    { weight: 2, arbitrary: fc.string({ unit: character(0xa0, 0xff) }) },
    { weight: 4, arbitrary: fc.string({ unit: oneOf(`${visible} \t`) }) },
    {
      weight: 3,
      arbitrary: fc.constantFrom('*', '"', ',', 'W/"', 'count=exact', 'application/json', 'identity', '100-continue'),
    },
  )
  const header = fc
    .tuple(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...names.split(' ')) },
        {
          weight: 1,
          arbitrary: fc.string({ unit: oneOf('abcXYZ019-_.!~'), minLength: 1 }).map((x) => `X-${x}`),
        },
      ),
      value.map((text) => text.replace(/[\r\n]/g, '')),
    )
    .map(([name, value]) => `${name}: ${value}`)
  const bodies: Record<string, string> = {
    'GET /v1/pets': '',
    'GET /v1/pets/1': '',
    'GET /v1/pets?limit=1&status=sold': '',
    'POST /v1/pets': '{"name":"Rex","categoryId":1}',
    'PATCH /v1/pets/1': '{"name":"Tom"}',
    'DELETE /v1/pets/2': '',
    'GET /v1/store/orders': '',
    'POST /v1/store/orders': '{"petId":1}',
    'PUT /v1/categories/1': '{"name":"Dogs"}',
    'GET /v1/events': '',
  }
  const line = fc.constantFrom(...Object.keys(bodies))

  const property = fc.asyncProperty(line, fc.array(header, { minLength: 1, maxLength: 5 }), async (line, headers) => {
    const answer = await sendHead(app, `${line} HTTP/1.1`, headers, bodies[line])

    assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
    if (answer.status >= 400) assertError(answer, codeOf(answer))
    else assert.ok([200, 201, 204, 304].includes(answer.status), String(answer.status))
  })

  await fc.assert(property, { ...runs, examples: [['GET /v1/events', ['Accept-Encoding: *']]] })
  assert.deepEqual(app.failures, [])
})

test('an invalid Idempotency-Key is refused and adds nothing', async (t) => {
  const app = await startTarget(t)
  const latin1 = fc.string({ unit: character(0x80, 0xff) })
  const printable = fc.string({ unit: oneOf(visible) })
  const key = fc.oneof(
    fc
      .tuple(printable, latin1, printable)
      .map((parts) => parts.join(''))
      .filter((text) => /[^\x21-\x7e]/.test(text)),
    fc.string({ unit: oneOf(visible), minLength: 256, maxLength: 600 }).map((text) => `x${text}`),
    printable.filter((text) => !/["\\]/.test(text)).map((text) => `"${text}`),
    fc.constantFrom('', '""', '"'),
  )

  const property = fc.asyncProperty(key, async (key) => {
    const body = '{"name":"Rex","categoryId":1}'
    const headers = ['Content-Type: application/json', `Idempotency-Key: ${key}`]

    assertError(await sendHead(app, 'POST /v1/pets HTTP/1.1', headers, body), 'invalid_parameter')
  })

  await fc.assert(property, runs)
  assert.equal((await app.send('/v1/pets')).text, '[]')
})

test('any JSON value changes an animal exactly as sent or is refused as invalid_body', async (t) => {
  const { create, sendJson, send, failures } = await startTarget(t)
  await create('{"name":"Rex","categoryId":1}')
  const anyValue = fc.oneof(fc.jsonValue(), anyText, fc.double(), int64.map(String), fc.constantFrom(...statuses))
  const almost = fc.record(
    {
      name: fc.oneof({ weight: 4, arbitrary: name }, { weight: 1, arbitrary: anyValue }),
      categoryId: fc.oneof({ weight: 4, arbitrary: fc.maxSafeInteger() }, { weight: 1, arbitrary: anyValue }),
      status: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...statuses, null) },
        { weight: 1, arbitrary: anyValue },
      ),
      other: anyValue,
    },
    { requiredKeys: [] },
  )
  const value = fc.oneof({ weight: 1, arbitrary: anyValue }, { weight: 4, arbitrary: almost })

  const property = fc.asyncProperty(value, async (value) => {
    const before = (await send('/v1/pets/1')).body as Record<string, unknown>
    const text = JSON.stringify(value)

    const answer = await sendJson('PATCH /v1/pets/1', text)

    const after = (await send('/v1/pets/1')).body
    if (answer.status !== 200) {
      assertError(answer, 'invalid_body')
      assert.deepEqual(after, before)
      return
    }
    const { name, categoryId, status } = { ...before, ...(JSON.parse(text) as Record<string, unknown>) }
    assert.deepEqual(answer.body, {
      id: 1,
      name,
      categoryId: (categoryId as number) + 0,
      ...(status != null && { status }),
    })
    assert.deepEqual(after, answer.body)
  })

  await fc.assert(property, runs)
  assert.deepEqual(failures, [])
})

async function assertKeptOrRefused({ create, send }: Pick<Requests, 'create' | 'send'>, sent: string): Promise<void> {
  const answer = await create(sent)
  if (answer.status !== 201) return assertError(answer, 'invalid_body')

  const asked = JSON.parse(sent.replace(/^\ufeff/, '')) as GivenPet
  const { id, name, status, ...rest } = exactly(answer.text) as WirePet
  assert.deepEqual([name, status], [asked.name, asked.status])
  assert.deepEqual(Object.keys(rest), ['categoryId'])
  assert.equal(Number(rest.categoryId), Number(asked.categoryId) + 0)
  assert.equal((await send(`/v1/pets/${id}`)).text, answer.text)
}

/** The int64 that a number of these digits times ten to the `power` is, reckoned with bigints alone. */
function int64Of(sign: string, digits: string, power: number): bigint | undefined {
  const value = BigInt(digits)
  if (value === 0n) return 0n
  if (Math.abs(power) > 100) return undefined
  const scale = 10n ** BigInt(Math.abs(power))
  if (power < 0 && value % scale !== 0n) return undefined
  const scaled = (sign === '-' ? -1n : 1n) * (power < 0 ? value / scale : value * scale)
  return BigInt.asIntN(64, scaled) === scaled ? scaled : undefined
}

/** Sends a request with headers that fetch would refuse to send. Those given come first: of two, the first counts. */
async function sendHead(
  { sendRaw, key }: Requests,
  line: string,
  headers: readonly string[],
  body = '',
): Promise<Answer> {
  const given = new Set(headers.map((header) => header.slice(0, header.indexOf(':')).toLowerCase()))
  const usual = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json']
  const lines = [
    line,
    ...headers,
    ...usual.filter((header) => !given.has(header.slice(0, header.indexOf(':')).toLowerCase())),
    'Connection: close',
    `Content-Length: ${body.length}`,
  ]
  const answers = readAnswers(await sendRaw(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')))
  const answer = answers.findLast(({ status }) => status !== 100)
  assert.ok(answer, 'no answer')
  return answer
}

function codeOf(answer: Answer): ErrorCode {
  return (answer.body as { code: ErrorCode }).code
}

function character(first: number, last: number): fc.Arbitrary<string> {
  return fc.integer({ min: first, max: last }).map((code) => String.fromCharCode(code))
}

function percent(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`
}
