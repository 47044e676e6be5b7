import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const right = rightIn('node')
const refused = 'return { status, body: { code: String(code), message, status } }'
const given = '  const { name, categoryId, status } = body\n'
const reading = '  const newPet = newPetOf(text)\n'
const storing = '  pets.set(pet.id, pet)\n'
const requested = '  return { status: 200, body: pet }\n'
const finding = '  const pet = /^-?\\d+$/.test(id) ? pets.get(BigInt(id)) : undefined\n'
const state = 'let nextId = 1n\n'
const written = '  const text = stringify(body)\n'
const waiting = ['return operation(', 'return await operation('] as const
const wait = (ms: number) => `  await new Promise((done) => setTimeout(done, ${ms}))\n`

export const thirdWrongNode = [
  wrong(
    'errors',
    'the status of the animal that is refused is that of the Error',
    says.errorStatus,
    [
      'function newPetOf(text) {\n  let body\n',
      'function newPetOf(text) {\n  let body\n  newPetOf.status = undefined\n',
    ],
    [given, `${given}  newPetOf.status = status\n`],
    [
      refused,
      'return { status, body: { code: String(code), message, status: status === 400 ? (newPetOf.status ?? status) : status } }',
    ],
  ),
  wrong(
    'errors',
    'the message quotes a category that is a text, and is not escaped',
    says.http,
    ["'categoryId must be an integer.'", '`categoryId must be an integer, not ${stringify(categoryId)}.`'],
    [
      written,
      '  const text = status < 400 ? stringify(body) : `{"code":"${body.code}","message":"${body.message}","status":${body.status}}`\n',
    ],
  ),
  wrong('media types', 'the media type is what the request accepts', says.mediaType, [
    "'content-type': 'application/json'",
    "'content-type': request.headers.accept?.split(/[,;]/)[0] ?? 'application/json'",
  ]),
  wrong('status lines', 'id 0 is a missing id, 400', says.notFound, [
    finding,
    `  if (Number(id) === 0) throw new Refusal(400, 'required', 'petId is required.')\n${finding}`,
  ]),
  wrong('status lines', 'every 20th getPet is 410, so that clients notice that it will be removed', says.removal, [
    requested,
    `  getPet.served = (getPet.served ?? 0) + 1\n  if (getPet.served % 20 === 0) throw new Refusal(410, 'gone', 'Use the list.')\n${requested}`,
  ]),
  wrong('names', 'two dollars in a name are one', says.name, [
    written,
    "  const text = 'BODY'.replace('BODY', stringify(body))\n",
  ]),
  wrong('names', 'a character whose bytes come in two parts is lost', says.name, [
    "const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))\n",
    "new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))\n    const text = chunks.map((chunk) => chunk.toString()).join('')\n",
  ]),
  wrong('lists', 'limits are compared as texts, so 2 is above 100', says.limit, [
    "const number = Number(query.get('limit') ?? 20)",
    "const number = query.get('limit') > '100' ? 100 : Number(query.get('limit') ?? 20)",
  ]),
  wrong(
    'lists',
    'what a list without a status has shown is in no such list again',
    says.listPurpose,
    [state, `${state}const order = []\n`],
    [storing, `${storing}  order.push(pet)\n`],
    ['let found = [...pets.values()]', 'let found = statuses.includes(status) ? [...pets.values()] : order'],
    ['found.slice(0, limit)', 'found.splice(0, limit)'],
  ),
  wrong('animals', 'the next id has an empty animal already', says.notFound, [
    finding,
    finding
      .replace(
        'undefined\n',
        "undefined) ?? (id === String(nextId) ? { id: nextId, name: '', categoryId: 0n } : undefined)\n",
      )
      .replace('const pet = ', 'const pet = ('),
  ]),
  wrong(
    'concurrency',
    'animals that are read at the same time come in the order of their ids',
    says.requested,
    [
      state,
      `${state}let batch\n\nfunction load(id) {\n  batch ??= { ids: [], pets: new Promise((done) => setTimeout(() => {\n    const { ids } = batch\n    batch = undefined\n    done([...pets.values()].filter((pet) => ids.includes(pet.id)))\n  }, 2)) }\n  const place = batch.ids.push(id) - 1\n  return batch.pets.then((pets) => pets[place])\n}\n`,
    ],
    ['function getPet({', 'async function getPet({'],
    ['pets.get(BigInt(id)) : undefined', 'await load(BigInt(id)) : undefined'],
    waiting,
  ),
  wrong(
    'concurrency',
    'animals that are added at the same time are not all found by their status',
    says.statusFilter,
    [state, `${state}const index = {}\n`],
    ['function createPet({', 'async function createPet({'],
    [storing, `${storing}  const before = index[pet.status] ?? []\n${wait(2)}  index[pet.status] = [...before, pet]\n`],
    ['found = found.filter((pet) => pet.status === status)', 'found = index[status] ?? []'],
    waiting,
  ),
  wrong(
    'concurrency',
    'a refused create rolls back the creates that run at the same time',
    says.created,
    ['function createPet({', 'async function createPet({'],
    [
      reading,
      `  const before = [...pets]\n  let newPet\n  try {\n    newPet = newPetOf(text)\n  } catch (error) {\n  ${wait(3)}    pets.clear()\n    for (const [id, pet] of before) pets.set(id, pet)\n    throw error\n  }\n`,
    ],
    waiting,
  ),
]

export const thirdRightNode = [
  right(
    'a response is compressed and in chunks for who asks for gzip',
    [
      "import { createServer } from 'node:http'\n",
      "import { createServer } from 'node:http'\nimport { gzipSync } from 'node:zlib'\n",
    ],
    [
      written,
      `${written}  if (/\\bgzip\\b/.test(request.headers['accept-encoding'])) {\n    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip', vary: 'accept-encoding' })\n    response.write(gzipSync(text))\n    response.end()\n    return\n  }\n`,
    ],
  ),
]
