import { Agent, type RequestOptions, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { RunningShop } from './start.ts'

// What a shop answers to a fixed tour of requests. Two runs of the same shop give the same transcript, so a wrong shop
// whose transcript is that of its base does not do what it is for. It judges nothing.

const names = [
  'Rex',
  ' Rex ',
  'Rex',
  '',
  'a  b\nc',
  '<b>Tom & "Jerry"</b>',
  "O'Neil",
  '😀é',
  'e\u0301',
  'x'.repeat(300),
  'ÄÖ',
  '\ufeffMark',
  'a\tb',
  'LOUD',
  'a+b',
  'back\\slash',
  'null',
  'x'.repeat(9000),
]
const categories = [
  '1',
  '0',
  '-1',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '7',
  '-9007199254740993',
]
const statuses = [undefined, 'available', 'pending', 'sold']
const invalidBodies = [
  '',
  'null',
  '[]',
  '"Rex"',
  '{',
  '{"name":"Rex","categoryId":1} more',
  '[{"name":"Rex","categoryId":1}]',
  '{}',
  ...['', '"name":5,', '"name":null,', '"name":[],', '"NAME":"Rex",'].map((name) => `{${name}"categoryId":1}`),
  ...['1.5', '"1"', 'true', 'null', '9223372036854775808', '99999999999999999999999', '1e999', '[]'].map(
    (category) => `{"name":"Rex","categoryId":${category}}`,
  ),
  '{"name":"Rex"}',
  Buffer.from('{"name":"R\xe9x","categoryId":1}', 'latin1'),
  ...['""', '"SOLD"', '"lost"', 'true', '["sold"]', '5'].map(
    (status) => `{"name":"Rex","categoryId":1,"status":${status}}`,
  ),
]

export async function transcriptOf(shop: RunningShop): Promise<string[]> {
  const lines: string[] = []
  await tour(shop, (line) => lines.push(line))
  return lines
}

/** Whether it answers otherwise than in the transcript. Looks at one animal again `waitMs` after all else was the same. */
export async function differs(shop: RunningShop, transcript: readonly string[], waitMs: number): Promise<boolean> {
  const difference = new Error('another response')
  let place = 0
  try {
    await tour(
      shop,
      (line) => {
        if (line !== transcript[place++]) throw difference
      },
      waitMs,
    )
    return false
  } catch (error) {
    if (error === difference) return true
    throw error
  }
}

async function tour(shop: RunningShop, record: (line: string) => void, waitMs = 0): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (method: string, path: string, { body = '', headers = {} }: Question = {}) => {
    const answer = await send(shop, agent, method, path, body, headers)
    record(`${method} ${path} ${JSON.stringify(headers)} ${String(body)}\n${answer}`)
    return /"id": ?"?(-?\d+)/.exec(answer)?.[1] ?? '0'
  }
  const lists = ['', '?limit=1', '?limit=2', '?limit=30', '?limit=50', '?limit=100']
  const askLists = async () => {
    for (const query of lists) await ask('GET', `/pets${query}`)
    for (const status of statuses.slice(1)) {
      await ask('GET', `/pets?status=${status}`)
      await ask('GET', `/pets?limit=3&status=${status}`)
      await ask('GET', `/pets?limit=100&status=${status}`)
    }
  }

  await ask('GET', '/pets', { headers: { authorization: '' } })
  await askLists()
  const firstId = await ask('POST', '/pets', { body: petOf('First', '1', 'sold') })
  await ask('GET', '/pets?limit=1')
  for (const offset of [1n, -1n, 7n, 10n]) await ask('GET', `/pets/${BigInt(firstId) + offset}`)
  const secondId = await ask('POST', '/pets', { body: petOf('Second', '1', 'sold') })
  for (let time = 0; time < 4; time++) await ask('GET', `/pets/${secondId}`)
  const escaped = firstId
    .split('')
    .map((digit) => `%3${digit}`)
    .join('')
  await ask('GET', `/pets/${escaped}`, { headers: { authorization: '' } })
  for (const authorization of [`Bearer ${shop.key}`, '']) {
    await ask('GET', '/pets?other=2', { headers: { authorization } })
  }
  for (const question of wrongKeys(shop.key)) {
    const { query = 'other=1' } = question
    for (const list of ['', '&limit=5', '&status=sold', '&limit=5&status=sold']) {
      await ask('GET', `/pets?${query}${list}`, question)
    }
    for (const id of [firstId, 999999]) await ask('GET', `/pets/${id}?${query}`, question)
    await ask('POST', '/pets', { ...question, body: petOf('Keyless', '1', undefined) })
    await ask('POST', '/pets', { ...question, body: '{}' })
  }
  for (const body of invalidBodies) await ask('POST', '/pets', { body })
  await ask('GET', '/pets?limit=100')
  for (const accept of ['text/html', 'application/xml', 'text/plain'])
    await ask('GET', '/pets', { headers: { accept } })
  await ask('GET', '/pets', { headers: { 'accept-encoding': 'gzip' } })
  await ask('POST', '/pets', { body: '{"name":"Refused","categoryId":1,"status":"lost"}' })
  await ask('POST', '/pets', { body: petOf('After a refusal', '1', 'sold') })
  await ask('POST', '/pets', { body: '{"name":"\\u0052ex","categoryId":1}' })
  await ask('POST', '/pets', { body: petOf('Chunks', '1', 'sold'), headers: { 'transfer-encoding': 'chunked' } })

  for (const [index, name] of names.entries()) {
    const body = petOf(name, categories[index % categories.length] ?? '1', statuses[index % statuses.length])
    const id = await ask('POST', '/pets', { body })
    await ask('GET', `/pets/${id}`)
    await ask('GET', '/pets?limit=100')
  }
  for (let time = 0; time < 2; time++) await ask('POST', '/pets', { body: petOf('Twin', '2', 'sold') })
  await ask('POST', '/pets', { body: `{"id":${firstId},"name":"Same id","categoryId":1}` })
  for (let number = 0; number < 120; number++) {
    await ask('POST', '/pets', { body: petOf(`Number ${number}`, String(number), statuses[number % statuses.length]) })
    if (number === 25 || number === 70) await askLists()
  }
  await askLists()
  for (const offset of [1n, 7n, 10n, 1n << 32n]) await ask('GET', `/pets/${BigInt(firstId) + offset}`)
  for (const id of [`${firstId}1`, BigInt(firstId) + 3n, 0, -1, '9223372036854775807']) await ask('GET', `/pets/${id}`)
  await askUnusual(ask, shop, firstId)
  await askAsServicesDo(ask, firstId)
  await askAsScannersDo(ask)
  record(await burst(shop))
  record(await mixture(shop))
  record(await refusals(shop, firstId))
  record(await connections(shop, ask))
  await wait(waitMs)
  await ask('GET', `/pets/${firstId}`)
}

interface Question {
  /** Parts are sent one after the other, each with a pause. */
  body?: string | Buffer | readonly Buffer[]
  headers?: Record<string, string>
}

type Ask = (method: string, path: string, question?: Question) => Promise<string>

/** What is lawful and rare, and what is refused and rare. */
async function askUnusual(ask: Ask, { key }: RunningShop, firstId: string): Promise<void> {
  const keyless = { headers: { authorization: '' } }
  for (const authorization of [`bearer wrong`, 'Bearer', 'Bearer schl\u00fcssel']) {
    await ask('GET', '/pets?limit=1', { headers: { authorization } })
  }
  await ask('GET', '/pets?limit=1', { headers: { authorization: '', Authorization: `Bearer ${key}` } })
  for (const path of [`/pets/-${firstId}`, '/pets?limit=0']) await ask('GET', path, keyless)
  for (const id of [`-${firstId}`, '-2']) await ask('GET', `/pets/${id}`)
  for (const status of ['{}', '[]', '"soldier"', '"sold\\nlost"', '" sold"']) {
    await ask('POST', '/pets', { body: `{"name":"Rex","categoryId":1,"status":${status}}` })
  }
  const type = 'application/json; charset=utf-8'
  await ask('POST', '/pets', { body: petOf('Charset', '3', 'sold'), headers: { 'content-type': type } })
  await ask('GET', '/pets/999999999', { headers: { 'accept-language': 'de, *;q=0.5' } })
  for (const query of ['?status=sold&limit=3', '?limit=9', '?limit=99']) await ask('GET', `/pets${query}`)
  for (const name of ['0', 'a\u0000b', 'Rex, the dog', '100% d', '\u{1f469}\u200d\u{1f467}', '$$5 $&']) {
    await ask('GET', `/pets/${await ask('POST', '/pets', { body: petOf(name, '3', 'sold') })}`)
  }
  const emoji = Buffer.from(petOf('\u{1f600}', '3', 'sold'))
  await ask('POST', '/pets', { body: [emoji.subarray(0, 11), emoji.subarray(11)] })
  for (let number = 0; number < 8; number++) await ask('GET', `/pets/${9999990 + number}`)
  for (let time = 0; time < 20; time++) await ask('GET', `/pets/${firstId}`)
}

/** What programs and proxies add to a request, and bodies that some libraries take. */
async function askAsServicesDo(ask: Ask, firstId: string): Promise<void> {
  const keyless: Record<string, string>[] = [
    { 'x-forwarded-for': '127.0.0.1' },
    { accept: 'text/html' },
    { origin: 'https://shop.example' },
  ]
  for (const headers of keyless) await ask('GET', '/pets?limit=1', { headers: { ...headers, authorization: '' } })
  await ask('GET', '/pets/', { headers: { authorization: '' } })
  await ask('GET', '/pets?status=%73old')
  const added: Record<string, string>[] = [
    { accept: 'application/json, text/plain, */*' },
    { 'user-agent': 'Mozilla/5.0' },
    { 'accept-language': 'de' },
    { 'accept-encoding': 'gzip' },
    { connection: 'close' },
  ]
  for (const headers of added) await ask('GET', '/pets?limit=100', { headers })
  await ask('GET', `/pets/${firstId}`)
  await ask('POST', '/pets', { body: petOf('Origin', '3', 'sold'), headers: { origin: 'https://shop.example' } })
  const bodies = [
    ...['15e-1', '-9223372036854775809', '{}', '["x"]'].map((category) => `{"name":"Rex","categoryId":${category}}`),
    ...['false', '0', '1', '"available "'].map((status) => `{"name":"Rex","categoryId":1,"status":${status}}`),
    JSON.stringify(petOf('Rex', '1', 'sold')),
    '{"name":1,"categoryId":"1"}',
    '{\n  "name": "Lines",\n  "categoryId": 3,\n  "status": "sold"\n}\n',
  ]
  for (const body of bodies) await ask('POST', '/pets', { body })
  const chunked = { 'transfer-encoding': 'chunked' }
  const pet = Buffer.from(petOf('Parts', '3', 'sold'))
  await ask('POST', '/pets', { body: [pet.subarray(0, 9), pet.subarray(9)], headers: chunked })
  await ask('POST', '/pets', { body: '{"name":"Rex"}', headers: chunked })
}

/** What looks for holes, and what means something to a store, a template or a cache. */
async function askAsScannersDo(ask: Ask): Promise<void> {
  for (const token of ["o'neil", "' OR '1'='1", 'a.b.c', 'y'.repeat(300)]) {
    await ask('GET', '/pets?limit=1', { headers: { authorization: `Bearer ${token}` } })
  }
  const chunked = { authorization: '', 'transfer-encoding': 'chunked' }
  await ask('POST', '/pets', { body: petOf('Keyless chunks', '3', 'sold'), headers: chunked })
  const available = await ask('POST', '/pets', { body: petOf('Public', '3', 'available') })
  await ask('GET', `/pets/${available}`, { headers: { authorization: '' } })
  const closing = { connection: 'close' }
  const last = await ask('POST', '/pets', { body: petOf('Close', '3', 'sold'), headers: closing })
  // Until the client has seen that the connection is closed.
  await wait(50)
  await ask('GET', `/pets/${last}`)
  const bodies = [
    `${'['.repeat(2000)}${']'.repeat(2000)}`,
    "{'name': 'Rex', 'categoryId': 1}",
    '{"__proto__":{"name":"Rex","categoryId":1}}',
    '{"name":"Rex","categoryId":1,"status":"constructor"}',
    '{"name":"Rex","categoryId":""}',
    '{"name":"Refused once","categoryId":1.5}',
  ]
  for (const body of bodies) await ask('POST', '/pets', { body })
  const type = { 'content-type': 'application/json; charset=utf-8' }
  await ask('POST', '/pets', { body: '{"name":"Rex","categoryId":1,"status":"lost"}', headers: type })
  for (const name of ['Refused once', '{name} {', 'Sixteen letters!', '2026-02-03', 'Not sold yet']) {
    await ask('GET', `/pets/${await ask('POST', '/pets', { body: petOf(name, '3', 'pending') })}`)
  }
  await ask('GET', '/pets?status=sold&limit=100')
  for (const category of ['3', '-2', '-1', '9223372036854775807']) {
    await ask('GET', `/pets/${await ask('POST', '/pets', { body: petOf('Close to another', category, 'sold') })}`)
  }
  for (const path of ['/pets?limit=1', '/pets/1']) await ask('GET', path)
}

function petOf(name: string, category: string, status: string | undefined): string {
  return `{"name":${JSON.stringify(name)},"categoryId":${category}${status === undefined ? '' : `,"status":"${status}"`}}`
}

function wrongKeys(key: string): { headers: Record<string, string>; query?: string }[] {
  const swapped = key.toUpperCase() === key ? key.toLowerCase() : key.toUpperCase()
  const tokens = [
    '',
    'wrong',
    'constructor',
    key.slice(0, -4),
    key.slice(3),
    `${key}x`,
    `x${key}`,
    `${key} more`,
    `${key.slice(0, -1)}~`,
    `${key.slice(0, 16)}~`,
    'y'.repeat(key.length),
    swapped,
    key.replaceAll(/[^a-z0-9]/gi, ''),
    '*',
    `${key},other`,
    key.replaceAll('_', '%5F'),
    key.split('').toReversed().join(''),
  ]
  return [
    { headers: { authorization: '' } },
    ...tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } })),
    ...[key, `Basic ${key}`, `Token ${key}`, `Basic ${btoa(`${key}:`)}`].map((authorization) => ({
      headers: { authorization },
    })),
    ...['access_token', 'api_key', 'key'].map((name) => ({ headers: { authorization: '' }, query: `${name}=${key}` })),
    { headers: { authorization: '', 'x-api-key': key } },
    { headers: { authorization: '', cookie: `api_key=${key}` } },
  ]
}

/** Creates at the same time. What they have in common is the same in every run of a right shop. */
async function burst(shop: RunningShop): Promise<string> {
  const agent = new Agent({ maxSockets: 16 })
  const sent = Array.from({ length: 48 }, (_, number) => `Burst ${number}`)
  const statusOf = (index: number) => statuses[1 + (index % 3)]
  const lists: string[] = []
  const answers = await Promise.all(
    sent.map(async (name, index) => {
      const headers = { authorization: index % 2 === 0 ? `Bearer ${shop.key}` : '' }
      const list = send(shop, agent, 'GET', '/pets?limit=1', '', headers)
      const answer = await send(shop, agent, 'POST', '/pets', petOf(name, '5', statusOf(index)), {})
      lists[index] = (await list).slice(0, 3)
      return answer
    }),
  )
  const ids = answers.map((answer) => /"id": ?"?(-?\d+)/.exec(answer)?.[1] ?? '0')
  const own = answers.filter((answer, index) => answer.includes(`"${sent[index]}"`)).length
  const ownStatus = answers.filter((answer, index) => answer.includes(`"${statusOf(index)}"`)).length
  const found = await Promise.all(ids.map((id) => send(shop, agent, 'GET', `/pets/${id}`, '', {})))
  const kept = found.filter((answer, index) => answer.includes(`"${sent[index]}"`)).length
  agent.destroy()
  return `burst: ${new Set(ids).size} ids, ${own} own names, ${ownStatus} own statuses, ${kept} kept; lists ${lists.join()}`
}

/** Different requests at the same time, and what they have in common in every run of a right shop. */
async function mixture(shop: RunningShop): Promise<string> {
  const agent = new Agent({ maxSockets: 32 })
  const ask = (method: string, path: string, body = '') => send(shop, agent, method, path, body, {})
  const idOf = (answer: string) => /"id": ?"?(-?\d+)/.exec(answer)?.[1] ?? '0'
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
  const times = <Result>(number: number, make: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: number }, (_, index) => make(index)))

  const [equal, lists, named] = await Promise.all([
    times(8, () => ask('POST', '/pets', petOf('Equal', '4', 'sold'))),
    times(16, (index) => ask('GET', `/pets?status=sold&limit=${index % 2 === 0 ? 2 : 100}`)),
    times(16, (index) => ask('POST', '/pets', petOf(`Mixture ${index}`, '4', index % 2 === 0 ? 'sold' : 'lost'))),
  ])
  const isPlain = lists.every((list) => count(list, /"id"/g) === count(list, /"name"/g))
  const isOnce = lists.every((list) => {
    const ids = list.match(/"id": ?"?-?\d+/g) ?? []
    return new Set(ids).size === ids.length
  })
  const areSold = lists.every((list) => count(list, /"id"/g) === count(list, /"sold"/g))
  const isLimited = lists.every((list, index) => index % 2 === 1 || count(list, /"id"/g) === 2)
  const added = named.filter((answer) => answer.startsWith('201')).map(idOf)
  const found = await times(added.length, (index) => ask('GET', `/pets/${added.at(-1 - index)}`))
  const own = found.filter((answer, index) => idOf(answer) === added.at(-1 - index)).length
  const sold = await ask('GET', '/pets?status=sold&limit=100')
  agent.destroy()
  return `mixture: ${new Set(equal.map(idOf)).size} equal, ${isPlain}, ${isOnce}, ${areSold}, ${isLimited}, ${added.length} added, ${own} found, ${count(sold, /Mixture/g)} listed, ${count(sold, /Equal/g)}`
}

/** Reads, creates and refusals of different causes at the same time. */
async function refusals(shop: RunningShop, firstId: string): Promise<string> {
  const agent = new Agent({ maxSockets: 32 })
  const ask = (method: string, path: string, body = '', headers = {}) => send(shop, agent, method, path, body, headers)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => [
      ask('GET', '/pets/9999999'),
      ask('POST', '/pets', petOf(`Refusals ${index}`, '6', index % 2 === 0 ? 'sold' : 'lost')),
      ask('GET', '/pets?limit=1', '', { authorization: 'Bearer wrong' }),
      ask('GET', `/pets/${firstId}`),
      ask('GET', `/pets?limit=${1 + (index % 2)}&status=${statuses[1 + (index % 3)]}`),
      ask('GET', '/pets?limit=100').then((list) => `${list.slice(0, 3)} "status":"${/lost/.exec(list)?.[0]}`),
    ]).flat(),
  )
  const added = answers.filter((answer) => answer.startsWith('201'))
  const found: string[] = []
  for (const answer of added) found.push(await ask('GET', `/pets/${/"id": ?(-?\d+)/.exec(answer)?.[1]}`))
  agent.destroy()
  const shapes = [...answers, ...found].map(
    (answer) => `${answer.slice(0, 3)} ${/"status": ?"?(\w+)/.exec(answer)?.[1]}`,
  )
  return `refusals: ${shapes.join()}`
}

/** What one connection adds, read by another that was there before. */
async function connections(shop: RunningShop, ask: Ask): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const answers = [await send(shop, agent, 'GET', '/pets/9999999', '', {})]
  const id = await ask('POST', '/pets', { body: petOf('Connections', '3', 'sold') })
  answers.push(await send(shop, agent, 'GET', `/pets/${id}`, '', {}))
  agent.destroy()
  return answers.map((answer) => answer.slice(0, 3)).join()
}

/** The status line, the media type and the text; or the word for why there is none. An empty header is not sent. */
async function send(
  shop: RunningShop,
  agent: Agent,
  method: string,
  path: string,
  body: NonNullable<Question['body']>,
  headers: Record<string, string>,
): Promise<string> {
  const parts = Array.isArray(body) ? (body as readonly Buffer[]) : [body as string | Buffer]
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const given = { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json', ...headers }
  const options: RequestOptions = {
    agent,
    method,
    headers: {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
      ...(headers['transfer-encoding'] === undefined && { 'content-length': length }),
    },
    timeout: 5000,
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  const sent = request(shop.url + path, options, async (response) => {
    const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>).catch((error: Error) => error.message)
    const text = typeof chunks === 'string' ? chunks : Buffer.concat(chunks).toString('utf8')
    resolve(`${response.statusCode} ${response.headers['content-type']}\n${text}`)
  })
  sent.once('error', (error) => resolve(error.message))
  sent.once('timeout', () => sent.destroy(new Error('timeout')))
  for (const part of parts.slice(0, -1)) {
    sent.write(part)
    await wait(20)
  }
  sent.end(parts.at(-1))
  return promise
}
