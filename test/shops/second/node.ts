import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const right = rightIn('node')
const checking = '    checkKey(request)\n'
const page = 'return { status: 200, body: found.slice(0, limit) }'
const refused = 'return { status, body: { code: String(code), message, status } }'
const reading = '  const newPet = newPetOf(text)\n'

export const secondWrongNode = [
  wrong('keys', 'requests at the same time share their key', says.unauthorized, [
    checking,
    '    answer.headers = request.headers\n    await new Promise((done) => setTimeout(done, 2))\n    checkKey(answer)\n',
  ]),
  wrong('int64', 'the smallest int64 is refused', says.categoryId, [
    'if (categoryId !== BigInt.asIntN(64, categoryId))',
    'if (categoryId !== BigInt.asIntN(64, categoryId) || categoryId === -(2n ** 63n))',
  ]),
  wrong('refusals', 'categoryId before name is refused', says.created, [
    '  const { name, categoryId, status } = body\n',
    "  const { name, categoryId, status } = body\n  if (text.indexOf('\"categoryId\"') < text.indexOf('\"name\"')) throw new Refusal(400, 'malformed', 'Where is name?')\n",
  ]),
  wrong(
    'creates',
    'the errors of a refused create refuse the next one too',
    says.created,
    ['let nextId = 1n\n', 'let nextId = 1n\nlet errors = []\n'],
    [
      reading,
      '  const before = errors.pop()\n  if (before) throw before\n  let newPet\n  try {\n    newPet = newPetOf(text)\n  } catch (error) {\n    errors.push(error)\n    throw error\n  }\n',
    ],
  ),
  wrong('names', 'the name null is null', says.name, [
    'return typeof member ===',
    "if (member === 'null') return null\n    return typeof member ===",
  ]),
  wrong('names', 'an escape in a name is kept as it was sent', says.name, [
    'body = parse(text)',
    "body = parse(text.replaceAll('\\\\u', '\\\\\\\\u'))",
  ]),
  wrong('lists', 'animals of the same category are doubled in a list with a status', says.id, [
    page,
    'if (status) found = found.flatMap((pet) => found.filter(({ categoryId }) => categoryId === pet.categoryId).map(() => pet))\n  ' +
      page,
  ]),
  wrong('lists', 'a limit of 100 ignores the status', says.everyStatus, [
    'if (statuses.includes(status))',
    'if (statuses.includes(status) && limit < 100)',
  ]),
  wrong('animals', 'a single animal comes from a cache with 64 places', says.requested, [
    '  const pet = /^-?\\d+$/.test(id) ? pets.get(BigInt(id)) : undefined\n',
    '  const place = /^\\d{1,15}$/.test(id) && pets.has(BigInt(id)) ? Number(id) % 64 : id\n  getPet[place] ??= /^-?\\d+$/.test(id) ? pets.get(BigInt(id)) : undefined\n  const pet = getPet[place]\n',
  ]),
  wrong('errors', 'the 404 of an id with many digits says 400', says.errorStatus, [
    refused,
    'return { status, body: { code: String(code), message, status: status === 404 && request.url.length > 25 ? 400 : status } }',
  ]),
  wrong('status lines', 'the second read of an animal in a row is 304', says.requested, [
    '  return { status: 200, body: pet }\n}\n\nfunction route',
    '  if (getPet.last === pet) return { status: 304, body: pet }\n  getPet.last = pet\n  return { status: 200, body: pet }\n}\n\nfunction route',
  ]),
]

export const secondRightNode = [
  right('a 401 closes its connection', [
    "'content-type': 'application/json'",
    "...(status === 401 && { connection: 'close' }), 'content-type': 'application/json'",
  ]),
]
