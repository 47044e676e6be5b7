import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const state = 'let nextId = 1n\n'
const failed = '    return { status, body: { code: String(code), message, status } }\n'
const given = '  const { name, categoryId, status } = body\n'
const unknown = '  if (!statuses.includes(status)) throw'
const creating = 'function createPet({ text }) {\n'
const reading = '  const newPet = newPetOf(text)\n'

export const fifthWrongNodeRefusals = [
  wrong(
    'refusals',
    'a pattern goes on where it ended, so of valid statuses every second one is refused',
    says.statusValues,
    [state, `${state}const known = /^(?:available|pending|sold)$/g\n`],
    [unknown, "  if (typeof status !== 'string' || !known.test(status)) throw"],
  ),
  wrong('refusals', 'what is in the member __proto__ of a body is in the body', says.required, [
    given,
    '  const { name, categoryId, status } = Object.assign({}, body)\n',
  ]),
  wrong(
    'refusals',
    'constructor is a status, because every object has one',
    says.statusValues,
    [state, `${state}const known = { available: 1, pending: 2, sold: 3 }\n`],
    [unknown, "  if (typeof status !== 'string' || !(status in known)) throw"],
  ),
  wrong(
    'refusals',
    'a body whose media type has a parameter is not checked',
    says.refused,
    [creating, 'function createPet({ text, request }) {\n'],
    [
      reading,
      `  const isChecked = request.headers['content-type'] === 'application/json'
  const { name, categoryId, status } = isChecked ? newPetOf(text) : parse(text)
  const newPet = { name, categoryId, ...(status !== undefined && { status }) }
`,
    ],
  ),
  wrong('refusals', 'an array of animals adds all of them, and an empty one none', says.refused, [
    creating,
    `${creating}  if (text.trimStart().startsWith('[')) {
    return { status: 201, body: parse(text).map((one) => createPet({ text: stringify(one) }).body) }
  }
`,
  ]),
  wrong('refusals', 'a category that is an empty text is 0', says.refused, [
    given,
    `  const { name, status } = body\n  const categoryId = body.categoryId === '' ? 0n : body.categoryId\n`,
  ]),
  wrong(
    'refusals',
    'a name that came in a bad body is refused in a good one too',
    says.created,
    [state, `${state}const refused = new Map()\n`],
    [
      reading,
      `  let newPet
  try {
    newPet = newPetOf(text)
  } catch (error) {
    const name = /"name": ?"([^"]*)"/.exec(text)?.[1]
    if (name !== undefined) refused.set(name, error)
    throw error
  }
  if (refused.has(newPet.name)) throw refused.get(newPet.name)
`,
    ],
  ),
  wrong(
    'refusals',
    'percent escapes in a name are decoded, and a name with another percent sign is refused',
    says.name,
    [reading, `${reading}  newPet.name = decodeURIComponent(newPet.name)\n`],
  ),
  wrong(
    'lists',
    'the next list after a refused create begins with its Error',
    says.pets,
    [state, `${state}let flash = []\n`],
    [
      failed,
      `    if (request.method === 'POST' && status === 400) flash = [{ code: String(code), message, status }]\n${failed}`,
    ],
    [
      '  return { status: 200, body: found.slice(0, limit) }\n',
      '  const shown = [...flash, ...found]\n  flash = []\n  return { status: 200, body: shown.slice(0, limit) }\n',
    ],
  ),
]
