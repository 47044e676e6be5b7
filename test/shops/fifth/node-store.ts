import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const state = 'let nextId = 1n\n'
const listing = 'function listPets({'
const listed = '  return { status: 200, body: found.slice(0, limit) }\n'
const creating = 'function createPet({'
const made = '  const pet = { id: nextId++, ...newPet }\n'
const storing = '  pets.set(pet.id, pet)\n'
const getting = 'function getPet({'
const found = 'pets.get(BigInt(id)) : undefined\n'
const requested = '  return { status: 200, body: pet }\n'
const waiting = ['return operation(', 'return await operation('] as const
const pause = (ms: number) => `  await new Promise((done) => setTimeout(done, ${ms}))\n`

export const fifthWrongNodeStore = [
  wrong(
    'concurrency',
    'an animal that is being read is locked, and another read of it is 500',
    says.requested,
    [state, `${state}const locked = new Set()\n`],
    [getting, `async ${getting}`],
    [
      requested,
      `  if (locked.has(id)) throw new Refusal(500, 'locked', 'The row is locked.')
  locked.add(id)
${pause(2)}  locked.delete(id)
${requested}`,
    ],
    waiting,
  ),
  wrong(
    'concurrency',
    'there is one cursor, so a list while another is read is 500',
    says.page,
    [state, `${state}let isOpen = false\n`],
    [listing, `async ${listing}`],
    [
      listed,
      `  if (isOpen) throw new Refusal(500, 'internal', 'The commands are out of sync.')
  isOpen = true
${pause(2)}  isOpen = false
${listed}`,
    ],
    waiting,
  ),
  wrong(
    'concurrency',
    'animals that are read together with one that is not there are shifted by one',
    says.requested,
    [
      state,
      `${state}let batch

function load(id) {
  batch ??= { ids: [], found: new Promise((done) => setTimeout(done, 3)).then(loadBatch) }
  const place = batch.ids.push(id) - 1
  return batch.found.then((rows) => rows[place])
}

function loadBatch() {
  const { ids } = batch
  batch = undefined
  return ids.map((id) => pets.get(id)).filter((pet) => pet !== undefined)
}
`,
    ],
    [getting, `async ${getting}`],
    [found, 'await load(BigInt(id)) : undefined\n'],
    waiting,
  ),
  wrong(
    'concurrency',
    'ids come in blocks of 16, and creates that need a new one at the same time take the same',
    says.id,
    [
      state,
      `${state}let block = 0n

async function takeId() {
  if (nextId > block * 16n) {
    const next = block + 1n
  ${pause(2)}    nextId = (next - 1n) * 16n + 1n
    block = next
  }
  return nextId++
}
`,
    ],
    [creating, `async ${creating}`],
    [made, made.replace('nextId++', 'await takeId()')],
    waiting,
  ),
  wrong(
    'durability',
    'all names together have 10,000 characters at most, then the oldest animals leave',
    says.requested,
    [
      storing,
      `${storing}  let length = 0
  for (const other of [...pets.values()].reverse()) {
    length += other.name.length
    if (length > 10_000 && other !== pet) pets.delete(other.id)
  }
`,
    ],
  ),
  wrong('durability', 'ten times a second a copy of the animals, which takes 5 ms, takes their place', says.created, [
    state,
    `${state}
setInterval(async () => {
  const copy = [...pets]
${pause(5)}  pets.clear()
  for (const [id, pet] of copy) pets.set(id, pet)
}, 100)
`,
  ]),
]
