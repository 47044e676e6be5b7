import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { partsOfKey } from '../../verify/src/checks/key-parts.ts'
import { everyPair } from '../../verify/src/checks/sequences.ts'
import { wrongKeys } from '../../verify/src/checks/wrong-keys.ts'
import { ResponseReader } from '../../verify/src/http/response-reader.ts'
import { encode, type HttpRequest } from '../../verify/src/http/send.ts'
import { printable } from '../../verify/src/outcome.ts'
import { withContent } from '../../verify/src/shop/content.ts'
import { curlOf, jsonOf, type ShopRequest } from '../../verify/src/shop/exchange.ts'
import { int64Of, isObject, type Json, JsonNumber, member } from '../../verify/src/shop/json.ts'
import { readJson } from '../../verify/src/shop/read-json.ts'
import { paceOf } from '../../verify/src/shop/shop.ts'

test('integers of 64 bits are read exactly, in every notation', () => {
  const exact = {
    '9007199254740993': 9007199254740993n,
    '9223372036854775807': 2n ** 63n - 1n,
    '-9223372036854775808': -(2n ** 63n),
    '1.0': 1n,
    '1e3': 1000n,
    '12.50e1': 125n,
    '-0': 0n,
    '0e999999999': 0n,
  }
  for (const [text, value] of Object.entries(exact)) assert.equal(int64Of(readJson(text)), value, text)
  for (const text of ['9223372036854775808', '1.5', '1e30', '1e999999999', '1e-1', '"1"', 'null', 'true', '[1]'])
    assert.equal(int64Of(readJson(text)), undefined, text)
})

test('a number with a million zeros is read at once', () => {
  const zeros = '0'.repeat(1_000_000)
  assert.equal(int64Of(readJson(`1${zeros}1`)), undefined)
  assert.equal(int64Of(readJson(`1.${zeros}`)), 1n)
})

test('JSON is read as JSON.parse reads it, and refused where it refuses', () => {
  const valid = ['{}', '[]', ' [ 1 , -0.5e+3 , true , false , null ] ', '{"a":{"b":[{}]},"":""}', '{"a":[1],"a":[ 1 ]}']
  const validStrings = [String.raw`"\u00e9\"\\\n\/"`, '"\u0085"']
  const invalid = ['', ' ', '[1,]', '{"a":1,}', '{a:1}', '01', '1.', '.5', '+1', '-', '[', 'tru', '1 2', '[1}', 'nulls']
  const invalidStrings = ['"', '"\\"', '"\\x"', '"\n"', '{"a"}', '{"a":}', '\u00a01', '"\\u12"', "['a']"]
  const texts = [...valid, ...validStrings, ...invalid, ...invalidStrings]
  for (const text of texts) {
    let wanted: unknown = 'refused'
    let read: unknown = 'refused'
    try {
      wanted = JSON.parse(text)
    } catch {}
    try {
      read = plain(readJson(text))
    } catch {}
    assert.deepEqual(read, wanted, text)
  }
})

test('JSON that says two things of one member is refused', () => {
  for (const text of ['{"a":1,"a":2}', '{"a":1,"a":1.0}', '[{"b":{"a":"x","a":null}}]'])
    assert.throws(() => readJson(text), SyntaxError, text)
})

test('the lines of a header are written in the form that a request asks for, without those that it leaves out', () => {
  const request = { method: 'GET', url: new URL('http://shop.test/v1/pets'), headers: [['X-Test', 'a b']] } as const
  const written = (form: Partial<HttpRequest>) => encode({ ...request, ...form }).toString()

  assert.match(written({ headerForm: 'lower' }), /\r\nhost: shop\.test\r\n(?:.*\r\n)*x-test: a b\r\n/)
  assert.match(written({ headerForm: 'upper' }), /\r\nX-TEST: a b\r\n/)
  assert.match(written({ headerForm: 'tight' }), /\r\nX-Test:a b\r\n/)
  assert.match(written({ headerForm: 'wide' }), /\r\nX-Test:   a b\r\n/)
  assert.doesNotMatch(written({ without: ['Accept', 'User-Agent'] }), /\r\n(?:Accept|User-Agent):/)
})

test('every part of the key is another key, and none is the key', () => {
  const keys = partsOfKey('secret-key')

  assert.ok(
    ['secret-ke', 'ecret-key', 'secaet-key', 'secrt-key', 'secret-key:x', '"secret-key"'].every((one) =>
      keys.includes(one),
    ),
  )
  assert.ok(!keys.includes('secret-key'))
  assert.deepEqual(
    keys.filter((one) => one !== one.trim() || one === ''),
    [],
  )
})

test('a sequence of pairs has each item right after each', () => {
  const sequence = everyPair(['a', 'b', 'c'])
  const pairs = sequence.map((one, index) => `${one}${sequence[(index + 1) % sequence.length]}`)

  assert.deepEqual(pairs.toSorted(), ['aa', 'ab', 'ac', 'ba', 'bb', 'bc', 'ca', 'cb', 'cc'])
})

test('a request in chunks has its length in the chunks', () => {
  const headers = [['Transfer-Encoding', 'chunked']] as const
  const request = { method: 'POST', url: new URL('http://shop.test/v1/pets'), headers, body: '{"é":1}' }

  const sent = encode(request).toString()

  assert.ok(sent.endsWith('\r\n\r\n4\r\n{"é\r\n4\r\n":1}\r\n0\r\n\r\n'), sent)
  assert.ok(!sent.includes('Content-Length'))
})

test('a body is cut where a request says, and each part is a chunk', () => {
  const headers = [['Transfer-Encoding', 'chunked']] as const
  const request = {
    method: 'POST',
    url: new URL('http://shop.test/v1/pets'),
    headers,
    body: '{"é":1}',
    bodyCuts: [1, 3],
  }

  assert.equal(
    encode(request).toString('latin1').split('\r\n\r\n')[1],
    ['1', '{', '2', '"\xc3', '5', '\xa9":1}', '0'].join('\r\n'),
  )
})

test('each character of a header is sent as one byte, and shown as an escape in the curl line', () => {
  const url = new URL('http://shop.test/v1/pets')
  const authorization = 'Bearer k\xe9y'
  const sent = encode({ method: 'GET', url, headers: [['Authorization', authorization]] })

  assert.ok(sent.includes(Buffer.from([0x6b, 0xe9, 0x79])))
  assert.equal(
    curlOf({ request: { method: 'GET', path: '/pets', authorization }, url }, 'secret'),
    `curl -i -H "Authorization: Bearer k"$'\\xe9'"y" 'http://shop.test/v1/pets'`,
  )
})

test('a response is read without its Content-Encoding only if the request accepts that', () => {
  const body = gzipSync('[1]')
  const response = { status: 200, headers: [['content-encoding', 'GZIP']] as [string, string][], body }
  const request = { method: 'GET', path: '/pets' } as const
  const read = (headers: Record<string, string>) => withContent(response, { ...request, headers }).content?.toString()

  assert.equal(read({ 'Accept-Encoding': 'br, gzip;q=0.5' }), '[1]')
  assert.equal(read({ 'Accept-Encoding': 'br' }), undefined)
  assert.equal(read({}), undefined)
})

test('the body of a response is parsed once', () => {
  const response = { status: 200, headers: [], body: Buffer.from('[1]') }
  assert.equal(jsonOf(response), jsonOf(response))
})

function plain(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.source)
  if (Array.isArray(value)) return value.map(plain)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)])) : value
}

test('a member is one of the object itself', () => {
  assert.equal(member(readJson('{}'), 'toString'), undefined)
  assert.equal(member(readJson('[]'), 'length'), undefined)
  assert.equal(member(readJson('{"__proto__":"x"}'), '__proto__'), 'x')
})

test('a response is the same in whatever pieces it comes', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: \u00e9 \r\n\r\n3;a=b\r\n[1,\r\n2\r\n2]\r\n0\r\nT: u\r\n\r\nrest',
    'latin1',
  )
  for (const size of [1, 2, 3, 7, 1000]) {
    const reader = new ResponseReader({ maxHeadBytes: 1000, maxBodyBytes: 1000 })
    let response
    for (let at = 0; at < bytes.length && response === undefined; at += size)
      response = reader.push(bytes.subarray(at, at + size))
    assert.equal(response?.body.toString(), '[1,2]')
    assert.equal(response?.status, 200)
    assert.deepEqual(response?.headers, [
      ['transfer-encoding', 'chunked'],
      ['x', '\u00e9'],
    ])
  }
})

test('a body without a length ends with the connection, and a 204 has none', () => {
  const limits = { maxHeadBytes: 1000, maxBodyBytes: 1000 }
  const reader = new ResponseReader(limits)
  assert.equal(reader.push(Buffer.from('HTTP/1.0 200\r\n\r\n[')), undefined)
  assert.equal(reader.push(Buffer.from(']')), undefined)
  assert.equal(reader.end().body.toString(), '[]')
  assert.equal(new ResponseReader(limits).push(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'))?.status, 204)
})

test('a curl line can be copied, and has the name of the key instead of the key', () => {
  const url = new URL('http://127.0.0.1/v1/pets')
  const body = `{"name":"O'Malley"}`
  const key = 'a"$`b'

  assert.equal(
    curlOf({ request: { method: 'POST', path: '/pets', body }, url }, key),
    `curl -i -X POST -H "Authorization: Bearer \${KEY}" -H 'Content-Type: application/json' -d '{"name":"O'\\''Malley"}' 'http://127.0.0.1/v1/pets'`,
  )
  assert.equal(
    curlOf({ request: { method: 'GET', path: '/pets', authorization: null }, url }, key),
    `curl -i 'http://127.0.0.1/v1/pets'`,
  )
  assert.equal(
    curlOf({ request: { method: 'GET', path: '/pets', authorization: 'Bearer $x' }, url }, key),
    `curl -i -H "Authorization: Bearer \\$x" 'http://127.0.0.1/v1/pets'`,
  )
})

test('a shell puts the key in a curl line wherever it was sent, also where it goes on', () => {
  const url = new URL('http://127.0.0.1/v1/pets?api_key=k-1$x')
  const key = 'k-1$x'
  const sentBy = (request: Partial<ShopRequest>) => {
    const line = curlOf({ request: { method: 'GET', path: '/pets', ...request }, url }, key)
    assert.ok(!line.includes(key), line)
    const script = `curl() { printf '%s\\n' "$@"; }; ${line}`
    return execFileSync('sh', ['-c', script], { env: { KEY: key }, encoding: 'utf8' }).split('\n')
  }

  assert.ok(sentBy({ authorization: `Bearer ${key}x` }).includes(`Authorization: Bearer ${key}x`))
  assert.ok(sentBy({ authorization: `Bearer x${key}` }).includes(`Authorization: Bearer x${key}`))
  const inOtherCase = sentBy({ headers: { authorization: `Bearer ${key}` }, authorization: null })
  assert.ok(inOtherCase.includes(`authorization: Bearer ${key}`))
  const body = `{"key":"${key}","name":"Zoë \\"O'Malley\\""}`
  assert.ok(sentBy({ method: 'POST', body }).includes(body))
  assert.ok(sentBy({}).includes(url.href))
})

test('control characters, turned text and lone surrogates are escaped', () => {
  assert.equal(printable('a\u0000\u001b[1m\u202e\ud800é🐕'), String.raw`a\u0000\u001b[1m\u202e\ud800é🐕`)
})

test('requests keep their distance', async () => {
  const pass = paceOf(100)
  const startedAt = performance.now()
  for (let count = 0; count < 6; count++) await pass()

  // A timer may fire up to a millisecond early.
  assert.ok(performance.now() - startedAt >= 45)
})

test('another key of the sandbox is not a wrong one: it opens another shop', () => {
  const keys = wrongKeys('sandbox_default', 'verify-mark')

  assert.deepEqual(
    keys.filter((key) => /^Bearer sandbox_[\w-]+$/.test(key)),
    [],
  )
  assert.ok(keys.includes('Bearer andbox_default'))
  assert.ok(wrongKeys('pet_test_abc', 'verify-mark').includes('Bearer pet_test_ab'))
})
