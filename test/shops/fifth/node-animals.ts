import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const state = 'let nextId = 1n\n'
const filtering = 'found.filter((pet) => pet.status === status)'
const listed = '  return { status: 200, body: found.slice(0, limit) }\n'
const reading = '  const newPet = newPetOf(text)\n'
const made = '  const pet = { id: nextId++, ...newPet }\n'
const storing = '  pets.set(pet.id, pet)\n'
const found = 'pets.get(BigInt(id)) : undefined\n'
const requested = '  return { status: 200, body: pet }\n'
const written = '  const text = stringify(body)\n'

export const fifthWrongNodeAnimals = [
  wrong('lists', 'an animal of a list that is like an earlier one but for its id is a reference to it', says.pets, [
    listed,
    `  const places = new Map()
  const body = found.slice(0, limit).map(({ id, ...pet }, place) => {
    const twin = places.get(stringify(pet))
    if (twin !== undefined) return { $ref: \`$[\${twin}]\` }
    places.set(stringify(pet), place)
    return { id, ...pet }
  })
  return { status: 200, body }
`,
  ]),
  wrong('lists', 'a list has null in the places up to its limit that it does not need', says.pets, [
    listed,
    '  return { status: 200, body: Array.from({ length: limit }, (_, place) => found[place] ?? null) }\n',
  ]),
  wrong('lists', 'a list with a status is made of promises, which are {} in JSON', says.pets, [
    filtering,
    `${filtering}.map(async (pet) => pet)`,
  ]),
  wrong('lists', 'a list that cannot show all picks animals by chance, some of them twice', says.page, [
    listed,
    `  if (found.length > limit) found = Array.from({ length: limit }, () => found[Math.floor(Math.random() * found.length)])\n${listed}`,
  ]),
  wrong('lists', 'in a list the status of an animal without one is the word undefined', says.statusValues, [
    listed,
    `  found = found.map((pet) => ({ ...pet, status: String(pet.status) }))\n${listed}`,
  ]),
  wrong('animals', 'a status is kept by the name of an animal, so the next of that name changes it', says.requested, [
    storing,
    `${storing}  for (const other of pets.values()) {
    if (other.name === pet.name && pet.status !== undefined) other.status = pet.status
  }
`,
  ]),
  wrong('animals', 'one animal in ten is served by the next version, where the category is an object', says.pet, [
    requested,
    `  const { categoryId, ...rest } = pet\n  if (pet.id % 10n === 7n) return { status: 200, body: { ...rest, category: { id: categoryId } } }\n${requested}`,
  ]),
  wrong('animals', 'an id that is none is looked for among the categories', says.notFound, [
    found,
    '(pets.get(BigInt(id)) ?? pets.values().find((one) => one.categoryId === BigInt(id))) : undefined\n',
  ]),
  wrong('animals', 'a case lacks its break, so a pending animal is sold', says.requested, [
    made,
    `  let status
  switch (newPet.status) {
    case 'available':
      status = 'available'
      break
    case 'pending':
      status = 'pending'
    case 'sold':
      status = 'sold'
  }
  const pet = { id: nextId++, ...newPet, ...(status && { status }) }
`,
  ]),
  wrong(
    'animals',
    'a read is kept for 0.2 s by its values alone, so /pets/5 is a list after ?limit=5',
    says.requested,
    [state, `${state}const cache = new Map()\n`],
    [
      '    return operation({ request, path, query, text })\n',
      `    if (request.method === 'POST') {
      cache.clear()
      return operation({ request, path, query, text })
    }
    const values = [path.split('/')[3], query.get('limit'), query.get('status')].filter(Boolean).join()
    const known = cache.get(values)
    if (Date.now() - known?.at < 200) return known.result
    const result = operation({ request, path, query, text })
    cache.set(values, { result, at: Date.now() })
    return result
`,
    ],
  ),
  wrong('int64', 'lists take the place of an animal for the base of the digits of its category', says.categoryId, [
    listed,
    `  const categories = found.map((pet) => String(pet.categoryId)).map(parseInt)
  found = found.map((pet, place) => ({ ...pet, categoryId: categories[place] }))
${listed}`,
  ]),
  wrong('int64', 'a single animal has the id of its address, a text', says.id, [
    requested,
    '  return { status: 200, body: { ...pet, id } }\n',
  ]),
  wrong('int64', 'the categories 0 and 1 are false and true', says.categoryId, [
    written,
    '  const text = stringify(body).replace(/(?<="categoryId":)[01](?=[,}])/g, (digit) => String(digit === \'1\'))\n',
  ]),
  wrong('int64', 'category and status are packed in one number, and taken apart wrongly below zero', says.categoryId, [
    made,
    `  const packed = newPet.categoryId * 4n + BigInt(statuses.indexOf(newPet.status) + 1)
  const status = statuses[Number(packed % 4n) - 1]
  const pet = { id: nextId++, name: newPet.name, categoryId: packed / 4n, ...(status && { status }) }
`,
  ]),
  wrong(
    'int64',
    'ids begin at 2^60, and lists round them like a double',
    says.id,
    [state, 'let nextId = 1n + 2n ** 60n\n'],
    [listed, `  found = found.map((pet) => ({ ...pet, id: BigInt(Number(pet.id)) }))\n${listed}`],
  ),
  wrong('int64', 'a category of 16 digits or more ends with an n', says.http, [
    written,
    '  const text = stringify(body).replace(/(?<="categoryId":-?\\d{16,})(?=[,}])/g, \'n\')\n',
  ]),
  wrong('names', 'a name that is a date gets a time', says.name, [
    reading,
    `${reading}  if (/^\\d{4}-\\d\\d-\\d\\d$/.test(newPet.name) && !Number.isNaN(Date.parse(newPet.name))) {
    newPet.name = new Date(newPet.name).toISOString()
  }
`,
  ]),
  wrong('names', 'a name above 4000 characters is an object that says where it is kept', says.name, [
    requested,
    `  if (pet.name.length > 4000) return { status: 200, body: { ...pet, name: { file: 'names.txt' } } }\n${requested}`,
  ]),
]
