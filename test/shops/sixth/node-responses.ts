import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const imports = "import { createServer } from 'node:http'\n"
const state = 'let nextId = 1n\n'
const made = '  const pet = { id: nextId++, ...newPet }\n'
const storing = '  pets.set(pet.id, pet)\n'
const everything = '  let found = [...pets.values()]\n'
const allowed = '  const limit = Number.isInteger(number) && number >= 1 && number <= 100 ? number : 20\n'
const filtered = '  if (statuses.includes(status)) found = found.filter((pet) => pet.status === status)\n'
const listed = '  return { status: 200, body: found.slice(0, limit) }\n'
const finding = '  const pet = /^-?\\d+$/.test(id) ? pets.get(BigInt(id)) : undefined\n'
const missing = "  if (!pet) throw new Refusal(404, 'not_found', `There is no animal ${id}.`)\n"
const requested = `${missing}  return { status: 200, body: pet }\n`
const getting = 'function getPet({ path }) {\n'
const creating = 'function createPet({ text }) {\n'
const operating = '    return operation({ request, path, query, text })\n'
const failed = '    return { status, body: { code: String(code), message, status } }\n'
const written =
  "  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })\n"
const stringified = '  const text = stringify(body)\n'
const sleep = 'const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))\n'

export const sixthWrongNodeResponses = [
  wrong('errors', 'the body is the Error itself, whose message is not enumerable', says.errorMessage, [
    failed,
    '    return { status, body: error }\n',
  ]),
  wrong('errors', 'a refused body has statusCode, as Fastify has it', says.errorStatus, [
    failed,
    "    if (status === 400) return { status, body: { statusCode: 400, code, error: 'Bad Request', message } }\n" +
      failed,
  ]),
  wrong('errors', 'an unknown animal is told by a handler that takes an error for a message', says.errorMessage, [
    failed,
    failed.replace('message,', 'message: status === 404 ? { error: message } : message,'),
  ]),
  wrong('errors', 'the code of an error is its number', says.errorCode, [
    failed,
    failed.replace('String(code)', 'status'),
  ]),
  wrong('media types', 'an error is written without a content type', says.mediaType, [
    written,
    "  response.writeHead(status, { ...(status < 400 && { 'content-type': 'application/json' }), 'content-length': Buffer.byteLength(text) })\n",
  ]),
  wrong('media types', 'a list is sent as a text/plain stream', says.mediaType, [
    written,
    "  response.writeHead(status, { 'content-type': Array.isArray(body) ? 'text/plain' : 'application/json', 'content-length': Buffer.byteLength(text) })\n",
  ]),
  wrong(
    'status lines',
    'an unknown animal is 200 and null, since its promise is never falsy',
    says.notFound,
    [getting, `async ${getting}`],
    [finding, '  const pet = (async () => (/^-?\\d+$/.test(id) ? pets.get(BigInt(id)) : undefined))()\n'],
    [requested, `${missing}  return { status: 200, body: (await pet) ?? null }\n`],
    [operating, operating.replace('return', 'return await')],
  ),
  wrong('status lines', 'an unknown animal is a TypeError, which is 400', says.notFound, [
    requested,
    '  return { status: 200, body: { ...pet, id: pet.id } }\n',
  ]),
  wrong('status lines', 'an error is sent with 200, and its status only in the body', says.notFound, [
    written,
    written.replace('writeHead(status', 'writeHead(status === 404 ? 200 : status'),
  ]),
  wrong('lists', 'the filter does not know available, whose index is 0', says.everyStatus, [
    filtered,
    filtered.replace('statuses.includes(status)', 'statuses.indexOf(status) > 0'),
  ]),
  wrong('lists', 'a limit must be more than 1', says.limit, [allowed, allowed.replace('number >= 1', 'number > 1')]),
  wrong('lists', 'a limit is at least 20, as Math.max has it', says.limit, [
    allowed,
    '  const limit = Math.max(20, Math.min(100, number || 20))\n',
  ]),
  wrong('lists', 'a limit counts for each status by itself', says.limit, [
    listed,
    `  const groups = [undefined, ...statuses].map((wanted) => found.filter((pet) => pet.status === wanted))
  return { status: 200, body: groups.flatMap((group) => group.slice(0, limit)) }
`,
  ]),
  wrong('lists', 'a list of which there is more is an object with the next page', says.bareArray, [
    listed,
    `  if (found.length > limit) return { status: 200, body: { data: found.slice(0, limit), next: limit } }\n${listed}`,
  ]),
  wrong(
    'lists',
    'splice takes the animals of a list out of the store',
    says.requested,
    [state, `${state}const all = []\n`],
    [everything, '  let found = all\n'],
    [listed, listed.replace('slice', 'splice')],
    [storing, '  all.push(pet)\n'],
    [finding, '  const pet = all.find((pet) => String(pet.id) === id)\n'],
  ),
  wrong(
    'lists',
    'the filter is kept for the lists that follow',
    says.everyStatus,
    [state, `${state}const filter = {}\n`],
    [
      filtered,
      '  if (statuses.includes(status)) filter.status ??= status\n  if (filter.status && status) found = found.filter((pet) => pet.status === filter.status)\n',
    ],
  ),
  wrong('durability', 'an animal is in the store 80 ms after its 201', says.requested, [
    storing,
    '  setTimeout(() => pets.set(pet.id, pet), 80)\n',
  ]),
  wrong(
    'concurrency',
    'all responses are one object, which is sent 2 ms later',
    says.requested,
    [state, `${state}const reply = {}\n${sleep}`],
    [
      operating,
      '    Object.assign(reply, operation({ request, path, query, text }))\n    await sleep(2)\n    return reply\n',
    ],
  ),
  wrong(
    'concurrency',
    'all animals are read and written back, without those that were added meanwhile',
    says.requested,
    ['const pets = new Map()\n', 'let pets = new Map()\n'],
    [state, `${state}${sleep}`],
    [creating, `async ${creating}`],
    [made, `${made}  const before = new Map(pets)\n  await sleep(2)\n  pets = before\n`],
    [operating, operating.replace('return', 'return await')],
  ),
  wrong('concurrency', 'an id is the millisecond of the clock', says.id, [
    made,
    made.replace('nextId++', 'BigInt(Date.now())'),
  ]),
  wrong(
    'int64',
    'ids are 64 random bits without a sign',
    says.id,
    [imports, `import { randomBytes } from 'node:crypto'\n${imports}`],
    [made, made.replace('nextId++', 'randomBytes(8).readBigUInt64BE()')],
  ),
  wrong('int64', 'the numbers of one animal pass through a double', says.categoryId, [
    requested,
    `${missing}  return { status: 200, body: { ...pet, categoryId: BigInt(Number(pet.categoryId)) } }\n`,
  ]),
  wrong('animals', 'toJSON of BigInt makes all numbers of one animal texts', says.requested, [
    requested,
    `${missing}  return { status: 200, body: { ...pet, id: String(pet.id), categoryId: String(pet.categoryId) } }\n`,
  ]),
  wrong('animals', 'the pattern of an id takes one digit of it', says.requested, [
    finding,
    '  const pet = pets.get(BigInt(/^-?\\d/.exec(id)?.[0] ?? 0))\n',
  ]),
  wrong('animals', 'one animal is in a member data', says.requested, [
    requested,
    `${missing}  return { status: 200, body: { data: pet } }\n`,
  ]),
  wrong('creates', 'the created animal is what was sent, before it got its id', says.created, [
    '  return { status: 201, body: pet }\n',
    '  return { status: 201, body: newPet }\n',
  ]),
  wrong('names', 'the body of 201 is a template, in which a name is not escaped', says.http, [
    stringified,
    '  const text = status === 201 ? stringify({ ...body, name: 0 }).replace(\'"name":0\', () => `"name":"${body.name}"`) : stringify(body)\n',
  ]),
]
