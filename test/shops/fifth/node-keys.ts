import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const state = 'let nextId = 1n\n'
const checking = '    checkKey(request)\n'
const operating = '    return operation({ request, path, query, text })\n'
const failing = '    const { status = 400, code, message } = error\n'
const failed = '    return { status, body: { code: String(code), message, status } }\n'
const reading = '  const newPet = newPetOf(text)\n'
const storing = '  pets.set(pet.id, pet)\n'
const absent = '  if (!pet) throw'
const answering = '  const { status, body } = await answer(request)\n'
const written = '  const text = stringify(body)\n'
const pause = (ms: number) => `await new Promise((done) => setTimeout(done, ${ms}))\n`

export const fifthWrongNodeKeys = [
  wrong(
    'keys',
    'a read joins one of the same address that is under way, before its key is looked at',
    says.unauthorized,
    [state, `${state}const flights = new Map()\n`],
    [
      checking,
      `    const known = request.method === 'GET' && flights.get(request.url)\n    if (known) return await known\n${checking}`,
    ],
    [
      operating,
      `    if (request.method === 'GET') {
      const flight = (async () => {
        ${pause(3)}        flights.delete(request.url)
        return operation({ request, path, query, text })
      })()
      flights.set(request.url, flight)
      return await flight
    }
${operating}`,
    ],
  ),
  wrong(
    'keys',
    'a key is refused when eight others are being checked',
    says.page,
    [state, `${state}let checks = 0\n`],
    [
      checking,
      `    if (checks >= 8) throw new Refusal(401, 'unauthenticated', 'The API key could not be checked.')
    checks++
    ${pause(3)}    checks--
${checking}`,
    ],
  ),
  wrong(
    'keys',
    'a single animal that is available can be read without a key',
    says.bearer,
    [
      state,
      `${state}
function isPublic({ method, url }) {
  const id = /^\\/v1\\/pets\\/(\\d+)$/.exec(url)?.[1]
  return method === 'GET' && id !== undefined && pets.get(BigInt(id))?.status === 'available'
}
`,
    ],
    [checking, `    if (!isPublic(request)) checkKey(request)\n`],
  ),
  wrong(
    'status lines',
    'animals are in four shards by the remainder of the category, and there is none below zero, 500',
    says.created,
    [
      reading,
      `${reading}  if (newPet.categoryId % 4n < 0n) throw new Refusal(500, 'internal', 'The shard is undefined.')\n`,
    ],
  ),
  wrong(
    'status lines',
    'after five refusals in a row a circuit breaker answers 503 for 0.1 s',
    says.page,
    [state, `${state}let failures = 0\nlet openUntil = 0\n`],
    [
      checking,
      `${checking}    if (Date.now() < openUntil) throw new Refusal(503, 'unavailable', 'The circuit breaker is open.')\n`,
    ],
    [operating, `    const result = operation({ request, path, query, text })\n    failures = 0\n    return result\n`],
    [
      failing,
      `${failing}    if ((status === 400 || status === 404) && ++failures === 5) {
      failures = 0
      openUntil = Date.now() + 100
    }
`,
    ],
  ),
  wrong('status lines', 'a filter says of one missing id in eight that it is there, 500', says.notFound, [
    absent,
    `  if (!pet && /^\\d+$/.test(id) && BigInt(id) % 8n === 3n) throw new Refusal(500, 'internal', 'There is no row.')\n${absent}`,
  ]),
  wrong(
    'errors',
    'an error with the code of one in the last 50 ms is an empty object',
    says.errors,
    [state, `${state}const told = new Map()\n`],
    [
      failed,
      `    const isNew = Date.now() - (told.get(code) ?? 0) > 50
    told.set(code, Date.now())
    if (!isNew) return { status, body: {} }
${failed}`,
    ],
  ),
  wrong('http', 'a connection gets no response after its 60th', says.http, [
    answering,
    `  request.socket.served = (request.socket.served ?? 0) + 1\n  if (request.socket.served > 60) return\n${answering}`,
  ]),
  wrong('http', 'a single animal without a status has undefined for it, which JSON does not know', says.http, [
    written,
    `  const text =
    status === 200 && !Array.isArray(body)
      ? \`{"id":\${body.id},"name":\${stringify(body.name)},"categoryId":\${body.categoryId},"status":\${stringify(body.status)}}\`
      : stringify(body)
`,
  ]),
  wrong(
    'media types',
    'only the first response on a connection has a media type',
    says.mediaType,
    [
      "{ 'content-type': 'application/json', ",
      "{ ...(!request.socket.isKnown && { 'content-type': 'application/json' }), ",
    ],
    ['  response.end(text)\n', '  request.socket.isKnown = true\n  response.end(text)\n'],
  ),
  wrong(
    'durability',
    'after every 64th create the store is saved, and for 20 ms all requests are 500',
    says.page,
    [state, `${state}let savedUntil = 0\n`],
    [storing, `${storing}  if (pets.size % 64 === 0) savedUntil = Date.now() + 20\n`],
    [
      checking,
      `${checking}    if (Date.now() < savedUntil) throw new Refusal(500, 'saving', 'The store is being saved.')\n`,
    ],
  ),
]
