import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const checking = 'if (token !== key)'
const refused = 'return { status, body: { code: String(code), message, status } }'
const page = 'return { status: 200, body: found.slice(0, limit) }'
const created = 'return { status: 201, body: pet }'
const requested = 'return { status: 200, body: pet }'
const contentType = "'content-type': 'application/json'"
const storing = 'pets.set(pet.id, pet)'

export const wrongNode = [
  wrong('keys', 'the key is compared by its first half', says.unauthorized, [
    checking,
    'if (!token?.startsWith(key.slice(0, key.length / 2)))',
  ]),
  wrong('keys', 'a longer key is a key', says.unauthorized, [checking, 'if (!token?.startsWith(key))']),
  wrong('keys', 'a token as long as the key is a key', says.unauthorized, [
    checking,
    'if (token?.length !== key.length)',
  ]),
  wrong('keys', 'the key is compared without case', says.unauthorized, [
    checking,
    'if (token?.toUpperCase() !== key.toUpperCase())',
  ]),
  wrong('keys', 'words after the key are ignored', says.unauthorized, [' || rest.length > 0', '']),
  wrong('keys', 'Token instead of Bearer will do', says.bearer, [
    "scheme !== 'Bearer'",
    "!['Bearer', 'Token', 'Basic'].includes(scheme)",
  ]),
  wrong('keys', 'a list with limit and status needs no key', says.bearer, [
    'checkKey(request)\n',
    'if (!/limit=.*status=|status=.*limit=/.test(request.url)) checkKey(request)\n',
  ]),
  wrong('keys', 'api_key in the address is a key', says.header, [
    'checkKey(request)\n',
    'if (!request.url.includes(`api_key=${key}`)) checkKey(request)\n',
  ]),
  wrong(
    'keys',
    'the key is checked after the operation',
    says.unauthorized,
    ['    checkKey(request)\n', ''],
    [
      'return operation({ request, path, query, text })',
      'const result = operation({ request, path, query, text })\n    checkKey(request)\n    return result',
    ],
  ),
  wrong('keys', 'constructor is a key', says.unauthorized, [checking, 'if (!({ [key]: true })[token])']),

  wrong('status lines', 'a category that is no integer is 500', says.refused, [
    "Refusal(400, 'invalid', 'categoryId must be an integer.')",
    "Refusal(500, 'invalid', 'categoryId must be an integer.')",
  ]),
  wrong('status lines', 'a required field that is missing is 422', says.refused, [
    "Refusal(400, 'required', 'categoryId is required.')",
    "Refusal(422, 'required', 'categoryId is required.')",
  ]),
  wrong('status lines', 'an animal that is not there is an empty 200', says.notFound, [
    "if (!pet) throw new Refusal(404, 'not_found', `There is no animal ${id}.`)",
    'if (!pet) return { status: 200, body: {} }',
  ]),
  wrong('status lines', 'a header that is not understood is 403', says.unauthorized, [
    "Refusal(401, 'unauthenticated', 'Use: Bearer <API_KEY>')",
    "Refusal(403, 'unauthenticated', 'Use: Bearer <API_KEY>')",
  ]),
  wrong('status lines', 'getPet is a redirect, 308', says.removal, [requested, 'return { status: 308, body: pet }']),

  wrong('errors', 'code is undefined and so not there when a key is missing', says.errorCode, [
    refused,
    "return { status, body: { code: message.startsWith('No API key') ? undefined : code, message, status } }",
  ]),
  wrong('errors', 'message is called error in the 404', says.errorMessage, [
    refused,
    "return { status, body: { code: String(code), [status === 404 ? 'error' : 'message']: message, status } }",
  ]),
  wrong('errors', 'statusCode instead of status for creates', says.errorStatus, [
    refused,
    "return { status, body: { code: String(code), message, [request.method === 'POST' ? 'statusCode' : 'status']: status } }",
  ]),
  wrong('errors', 'the 401 of a list says 400', says.errorStatus, [
    refused,
    "return { status, body: { code: String(code), message, status: status === 401 && !request.url.includes('pets/') ? 400 : status } }",
  ]),
  wrong('errors', 'what is not JSON gets an error with another status', says.errorStatus, [
    refused,
    "return { status, body: { code: String(code), message, status: message.includes('valid JSON') ? 500 : status } }",
  ]),
  wrong('errors', 'an error is a text in quotes', says.errors, [
    refused,
    'return { status, body: status === 401 ? { code: String(code), message, status } : `${code}: ${message}` }',
  ]),
  wrong('errors', 'the code of a bad name is an object', says.errorCode, [
    refused,
    "return { status, body: { code: message.startsWith('name must') ? { field: 'name' } : String(code), message, status } }",
  ]),
  wrong('errors', 'the status of a 400 is a number with a fraction', says.errorStatus, [
    refused,
    'return { status, body: { code: String(code), message, status: status === 400 ? 400.5 : status } }',
  ]),

  wrong('media types', 'a list is text/html', says.mediaType, [
    contentType,
    "'content-type': Array.isArray(body) ? 'text/html; charset=utf-8' : 'application/json'",
  ]),
  wrong('media types', 'a 401 has no media type', says.mediaType, [
    contentType,
    "...(status !== 401 && { 'content-type': 'application/json' })",
  ]),
  wrong('media types', 'the 201 is application/octet-stream', says.mediaType, [
    contentType,
    "'content-type': status === 201 ? 'application/octet-stream' : 'application/json'",
  ]),
  wrong('media types', 'who asks for text/plain gets it', says.mediaType, [
    contentType,
    "'content-type': request.headers.accept === 'text/plain' ? 'text/plain' : 'application/json'",
  ]),

  wrong('int64', 'all categories are doubles', says.categoryId, [
    '? BigInt(source) : value',
    '? BigInt(value) : value',
  ]),
  wrong('int64', 'lists are written with doubles', says.categoryId, [
    page,
    'return { status: 200, body: found.slice(0, limit).map((pet) => ({ ...pet, categoryId: Number(pet.categoryId) })) }',
  ]),
  wrong('int64', 'a single animal is written with doubles', says.categoryId, [
    requested,
    'return { status: 200, body: { ...pet, categoryId: Number(pet.categoryId) } }',
  ]),
  wrong('int64', 'the 201 is written with doubles', says.categoryId, [
    created,
    'return { status: 201, body: { ...pet, categoryId: Number(pet.categoryId) } }',
  ]),
  wrong('int64', 'categories above 2^53 are texts', says.categoryId, [
    "typeof member === 'bigint' ?",
    "typeof member === 'bigint' && !Number.isSafeInteger(Number(member)) ? String(member) : typeof member === 'bigint' ?",
  ]),
  wrong(
    'int64',
    'categories beyond int64 wrap',
    says.refused,
    [
      "if (categoryId !== BigInt.asIntN(64, categoryId)) throw new Refusal(400, 'invalid', 'categoryId must be an int64.')",
      '',
    ],
    [
      'if (status === undefined) return { name, categoryId }',
      'if (status === undefined) return { name, categoryId: BigInt.asIntN(64, categoryId) }',
    ],
  ),

  wrong('refusals', 'a falsy category is missing', says.categoryId, [
    'if (categoryId === undefined)',
    'if (!categoryId)',
  ]),
  wrong('refusals', 'an empty status is like none', says.statusValues, [
    'if (status === undefined)',
    "if (status === undefined || status === '')",
  ]),
  wrong('refusals', 'a status may be an array of one', says.statusValues, [
    '!statuses.includes(status)',
    '!statuses.includes(String(status))',
  ]),
  wrong('refusals', 'a name may be anything but missing', says.refused, [
    "  if (typeof name !== 'string') throw new Refusal(400, 'invalid', 'name must be a string.')\n",
    '',
  ]),
  wrong('refusals', 'a category with a fraction is rounded', says.refused, [
    'const { name, categoryId, status } = body',
    "const { name, status } = body\n  const categoryId = typeof body.categoryId === 'number' ? BigInt(Math.round(body.categoryId)) : body.categoryId",
  ]),
  wrong('refusals', 'null is an empty object with defaults', says.refused, [
    "if (typeof body !== 'object' || body === null || Array.isArray(body)) {",
    "body ??= { name: 'unnamed', categoryId: 0n }\n  if (typeof body !== 'object' || Array.isArray(body)) {",
  ]),

  wrong('creates', 'every fifth create is answered and lost', says.created, [
    storing,
    'if (pet.id % 5n) pets.set(pet.id, pet)',
  ]),
  wrong('creates', 'the members of the body win over the id', says.id, [
    'const pet = { id: nextId++, ...newPet }',
    "const pet = { id: nextId++, ...newPet, ...(typeof parse(text).id === 'bigint' && { id: parse(text).id }) }",
  ]),
  wrong('creates', 'an animal with a bad category is refused and stored', says.refused, [
    "  if (typeof categoryId !== 'bigint')",
    "  if (typeof categoryId !== 'bigint') pets.set(nextId, { id: nextId++, name, categoryId: 0n })\n  if (typeof categoryId !== 'bigint')",
  ]),
  wrong('creates', 'the 201 is an array', says.created, [created, 'return { status: 201, body: [pet] }']),
  wrong('creates', 'the status is lost', says.pet, [
    '  return { name, categoryId, status }\n',
    '  return { name, categoryId }\n',
  ]),
  wrong('creates', 'the same body twice in a row is one animal', says.created, [
    '  const newPet = newPetOf(text)\n',
    '  const newPet = newPetOf(text)\n  const twin = [...pets.values()].at(-1)\n  if (twin && stringify({ ...twin, id: 0 }) === stringify({ id: 0, ...newPet })) return { status: 201, body: twin }\n',
  ]),

  wrong('names', 'names are cut at 255 in lists', says.name, [
    page,
    'return { status: 200, body: found.slice(0, limit).map((pet) => ({ ...pet, name: pet.name.slice(0, 255) })) }',
  ]),
  wrong('names', 'names are escaped for HTML', says.name, [
    'const pet = { id: nextId++, ...newPet }',
    "const pet = { id: nextId++, ...newPet, name: newPet.name.replaceAll('<', '&lt;') }",
  ]),
  wrong('names', 'an emoji is two question marks', says.name, [
    'const pet = { id: nextId++, ...newPet }',
    "const pet = { id: nextId++, ...newPet, name: newPet.name.replace(/[\\ud800-\\udfff]/g, '?') }",
  ]),
  wrong('names', 'names are read as Latin 1', says.name, [
    "new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))",
    "Buffer.concat(chunks).toString('latin1')",
  ]),
  wrong('names', 'white space at the end of names is lost in the store alone', says.name, [
    storing,
    'pets.set(pet.id, { ...pet, name: pet.name.trimEnd() })',
  ]),

  wrong('lists', 'a status without animals is 404', says.page, [
    page,
    "if (found.length === 0) throw new Refusal(404, 'not_found', 'There is no such animal.')\n  " + page,
  ]),
  wrong('lists', 'a limit of 100 is refused', says.limit, [
    'const limit =',
    "if (number === 100) throw new Refusal(400, 'invalid', 'limit must be below 100.')\n  const limit =",
  ]),
  wrong('lists', 'the limit is ignored', says.limit, [page, 'return { status: 200, body: found.slice(0, 100) }']),
  wrong('lists', 'the default is 100', says.atMost20, ["query.get('limit') ?? 20", "query.get('limit') ?? 100"]),
  wrong('lists', 'an animal is twice in lists above 30', says.id, [
    page,
    'if (found.length > 30) found.splice(10, 0, found[9])\n  ' + page,
  ]),
  wrong('lists', 'lists have ids alone', says.pets, [
    page,
    'return { status: 200, body: found.slice(0, limit).map(({ id }) => id) }',
  ]),
  wrong(
    'lists',
    'a list with a status is made once',
    says.listPurpose,
    [page, 'lists[status] ??= found\n  if (lists[status] !== found && status) found = lists[status]\n  ' + page],
    ['let nextId = 1n', 'let nextId = 1n\nconst lists = {}'],
  ),
  wrong('lists', 'a status filter is not filtered for sold', says.everyStatus, [
    'if (statuses.includes(status))',
    "if (statuses.includes(status) && status !== 'sold')",
  ]),

  wrong('animals', 'ids and places are mixed up after a status filter', says.pet, [
    page,
    'if (status) found = found.map((pet, place) => ({ ...pet, id: BigInt(place + 1) }))\n  ' + page,
  ]),
  wrong('animals', 'getPet makes an animal pending', says.status, [
    requested,
    "pets.set(pet.id, { ...pet, status: 'pending' })\n  " + requested,
  ]),
  wrong(
    'concurrency',
    'the id is read before a wait and written after it',
    says.id,
    ['function createPet({', 'async function createPet({'],
    ['return operation(', 'return await operation('],
    [
      'const pet = { id: nextId++, ...newPet }',
      'const pet = { id: nextId, ...newPet }\n  await new Promise((done) => setTimeout(done, 3))\n  nextId = pet.id + 1n',
    ],
  ),
  wrong(
    'concurrency',
    'requests at the same time share their body',
    says.created,
    [
      '    checkKey(request)\n',
      '    checkKey(request)\n    answer.chunks = chunks\n    await new Promise((done) => setTimeout(done, 2))\n',
    ],
    ['Buffer.concat(chunks)', 'Buffer.concat(answer.chunks)'],
  ),
  wrong('durability', 'the store is cleared at 100 animals', says.created, [
    storing,
    'if (pets.size >= 100) pets.clear()\n  ' + storing,
  ]),
  wrong('http', 'the length of a response is counted in characters', says.http, [
    'Buffer.byteLength(text)',
    'text.length',
  ]),
  wrong('http', 'a connection is cut in lists above 50', says.http, [
    '  response.end(text)\n',
    '  if (Array.isArray(body) && body.length > 50) return response.write(text.slice(0, -2), () => response.destroy())\n  response.end(text)\n',
  ]),
]
