import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const right = rightIn('node')
const state = 'let nextId = 1n\n'
const comparing = "  if (token !== key) throw new Refusal(401, 'unauthenticated', 'The API key is unknown.')\n"
const checking = 'function checkKey({ headers }) {\n'
const given = '  const { name, categoryId, status } = body\n'
const typing = "  if (typeof name !== 'string')"
const optional = '  if (status === undefined) return'
const filtering = '(pet) => pet.status === status'
const listed = '  return { status: 200, body: found.slice(0, limit) }\n'
const creating = 'function createPet({ text }) {\n  const newPet = newPetOf(text)\n'
const added =
  '  const pet = { id: nextId++, ...newPet }\n  pets.set(pet.id, pet)\n  return { status: 201, body: pet }\n'
const requested = '  return { status: 200, body: pet }\n'
const written = '  const text = stringify(body)\n'
const headed =
  "  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })\n"
const waiting = ['return operation(', 'return await operation('] as const

export const fourthWrongNode = [
  wrong(
    'keys',
    'a connection that sent a wrong key is refused with the right one too',
    says.page,
    [checking, 'function checkKey({ headers, socket }) {\n'],
    [comparing, `  socket.isRefused ||= token !== key\n${comparing.replace('token !== key', 'socket.isRefused')}`],
  ),
  wrong(
    'keys',
    'a 401 is kept for its address for 0.3 s, and answers the right key',
    says.page,
    [state, `${state}const refused = new Map()\n`],
    [
      '    checkKey(request)\n',
      `    if (Date.now() - refused.get(request.method + request.url) < 300) throw new Refusal(401, 'unauthenticated', 'The API key is unknown.')
    try {
      checkKey(request)
    } catch (error) {
      refused.set(request.method + request.url, Date.now())
      throw error
    }
`,
    ],
  ),
  wrong('http', 'an animal that is not there gets no response', says.notFound, [
    written,
    `  if (status === 404) return\n${written}`,
  ]),
  wrong('http', 'a list for a browser begins with a line that is not JSON', says.bareArray, [
    written,
    "  const isList = Array.isArray(body) && request.headers['user-agent']?.includes('Mozilla')\n  const text = (isList ? \")]}',\\n\" : '') + stringify(body)\n",
  ]),
  wrong('errors', 'the second error on a connection has no body', says.errors, [
    written,
    "  const text = status >= 400 && request.socket.hasFailed ? '' : stringify(body)\n  request.socket.hasFailed ||= status >= 400\n",
  ]),
  wrong('media types', 'the media type of a response is that of its request', says.mediaType, [
    "{ 'content-type': 'application/json', ",
    "{ ...(request.headers['content-type'] && { 'content-type': request.headers['content-type'] }), ",
  ]),
  wrong('int64', 'categories are written as in German for who speaks it', says.categoryId, [
    written,
    "  const isGerman = request.headers['accept-language']?.startsWith('de')\n  const text = stringify(body).replace(/(?<=\"categoryId\":)-?\\d+/g, (digits) => (isGerman ? BigInt(digits).toLocaleString('de') : digits))\n",
  ]),
  wrong('refusals', 'a category has a fraction only if it has a point, so 15e-1 is 1', says.refused, [
    "    return typeof value === 'number' && /^-?\\d+$/.test(source) ? BigInt(source) : value\n",
    "    return typeof value === 'number' && !source.includes('.') ? BigInt(/e/i.test(source) ? Math.trunc(value) : source) : value\n",
  ]),
  wrong('refusals', 'members are checked only when there is a status', says.refused, [
    typing,
    `  if (status === undefined) return { name, categoryId }\n${typing}`,
  ]),
  wrong('refusals', 'an array is a category, the empty one is 0', says.refused, [
    given,
    '  const { name, status } = body\n  const categoryId = Array.isArray(body.categoryId) ? BigInt(Number(body.categoryId)) : body.categoryId\n',
  ]),
  wrong('refusals', 'the statuses false and 0 are like none', says.refused, [
    optional,
    '  if (status === undefined || status === false || status === 0n) return',
  ]),
  wrong('status lines', 'a list with a status is 500 once an animal has none', says.page, [
    listed,
    `  if (statuses.includes(status) && [...pets.values()].some((pet) => pet.status === undefined)) {
    throw new Refusal(500, 'internal', "Cannot read properties of undefined (reading 'toLowerCase')")
  }
${listed}`,
  ]),
  wrong('lists', 'a status filter gives the status instead of comparing it', says.pet, [
    filtering,
    '(pet) => (pet.status = status)',
  ]),
  wrong(
    'lists',
    'percent escapes in a status are not decoded, and what is unknown is ignored',
    says.everyStatus,
    ['function listPets({ query }) {\n', 'function listPets({ query, request }) {\n'],
    [
      "  const status = query.get('status')\n",
      '  const status = /[?&]status=([^&]*)/.exec(request.url)?.[1] ?? null\n',
    ],
  ),
  wrong('lists', 'the id of an animal in a list is called _id', says.id, [
    'body: found.slice(0, limit) }\n',
    'body: found.slice(0, limit).map(({ id, ...pet }) => ({ _id: id, ...pet })) }\n',
  ]),
  wrong(
    'animals',
    'an animal that is read again is a text with JSON',
    says.requested,
    [state, `${state}const cache = new Map()\n`],
    [
      requested,
      `  if (cache.has(pet.id)) return { status: 200, body: cache.get(pet.id) }\n  cache.set(pet.id, stringify(pet))\n${requested}`,
    ],
  ),
  wrong('creates', 'the id is the time in milliseconds', says.id, ['id: nextId++,', 'id: BigInt(Date.now()),']),
  wrong('durability', 'a body that is not JSON ends the shop, which begins again without animals', says.created, [
    "    throw new Refusal(400, 'malformed', 'The body is not valid JSON.')\n",
    "    pets.clear()\n    throw new Refusal(400, 'malformed', 'The body is not valid JSON.')\n",
  ]),
  wrong(
    'concurrency',
    'creates at the same time are stored together, in the order of their names, and get ids in their own',
    says.created,
    [
      'function createPet(',
      `let batch = []

function store() {
  const sent = batch
  batch = []
  const rows = sent.map(({ newPet }) => newPet).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const ids = rows.map((newPet) => {
    const id = nextId++
    pets.set(id, { id, ...newPet })
    return id
  })
  sent.forEach(({ newPet, done }, place) => done({ status: 201, body: { id: ids[place], ...newPet } }))
}

function createPet(`,
    ],
    [
      added,
      '  if (batch.length === 0) setTimeout(store, 2)\n  return new Promise((done) => batch.push({ newPet, done }))\n',
    ],
  ),
  wrong(
    'concurrency',
    'an animal with an unknown status is in lists for a moment, then it is refused',
    says.statusValues,
    [state, `${state}const drafts = new Map()\n`],
    ['let found = [...pets.values()]', 'let found = [...drafts.values(), ...pets.values()]'],
    [
      creating,
      `async function createPet({ text }) {
  let newPet
  try {
    newPet = newPetOf(text)
  } catch (error) {
    if (!error.message.startsWith('status')) throw error
    drafts.set(text, { id: nextId, ...parse(text) })
    await new Promise((done) => setTimeout(done, 5))
    drafts.delete(text)
    throw error
  }
`,
    ],
    waiting,
  ),
]

export const fourthRightNode = [
  right(
    'a response comes in chunks of three bytes and ends with a trailer',
    [headed, "  response.writeHead(status, { 'content-type': 'application/json', trailer: 'x-end' })\n"],
    [
      '  response.end(text)\n',
      "  const bytes = Buffer.from(text)\n  response.cork()\n  for (let place = 0; place < bytes.length; place += 3) response.write(bytes.subarray(place, place + 3))\n  response.addTrailers({ 'x-end': 'yes' })\n  response.end()\n",
    ],
  ),
  right(
    'white space comes before and after the JSON, some time before it',
    [headed, "  response.writeHead(status, { 'content-type': 'application/json' })\n"],
    [
      '  response.end(text)\n',
      "  response.write(' \\r\\n')\n  await new Promise((done) => setTimeout(done, 20))\n  response.write('\\t')\n  response.end(`${text}\\n\\n  `)\n",
    ],
  ),
  right('every fifth response on a connection closes it', [
    headed,
    `  request.socket.served = (request.socket.served ?? 0) + 1\n  if (request.socket.served % 5 === 0) response.setHeader('connection', 'close')\n${headed}`,
  ]),
]
