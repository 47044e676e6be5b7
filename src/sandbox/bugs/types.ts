import type { Exchange } from '../../http/exchange.ts'
import type { NewPet } from '../../contract/pet.ts'
import type { Bug, Parts } from './bug.ts'
import { beforeInput, orderOperations, petOperations, port, replyOf, sentBody, text } from './vocabulary.ts'

const kind = 'types'
const silent = 'decision 1'
const maxInt64 = 2n ** 63n - 1n
/** `normalize` takes quadratic time for some long texts. */
const maxNormalizedLength = 1_000
const ofPet = new Set(['id', 'name', 'categoryId', 'status'])

export const typeBugs: readonly Bug[] = [
  {
    number: 33,
    name: 'int64-rounded',
    kind,
    severity: 'critical',
    difficulty: 'medium',
    wrong: 'A category above 2^53 is rounded to a double.',
    breaks: ['contract 2', 'categoryId: integer, int64.'],
    found: 'Create with the category 9007199254740993 and read the digits, not the number.',
    make: () =>
      storedPet((pet) => {
        const rounded = BigInt(Number(pet.categoryId))
        return { ...pet, categoryId: rounded > maxInt64 ? maxInt64 : rounded }
      }),
  },
  {
    number: 34,
    name: 'absent-status-is-null',
    kind,
    severity: 'medium',
    difficulty: 'easy',
    wrong: 'An animal without a status has `"status":null`.',
    breaks: ['contract 2', 'Allowed values: `available`, `pending`, `sold`.'],
    found: 'Read an animal that has no status.',
    make: () => text(petOperations, (body) => body.replaceAll(/("categoryId":-?\d+)\}/g, '$1,"status":null}')),
  },
  {
    number: 35,
    name: 'status-set-by-default',
    kind,
    severity: 'high',
    difficulty: 'easy',
    wrong: 'An animal that is added without a status is available.',
    breaks: ['contract 2', 'status: not required. No default is stated.'],
    found: 'Create without a status.',
    make: () => sentBody('createPet', (body) => void (body['status'] === undefined && (body['status'] = 'available'))),
  },
  {
    number: 36,
    name: 'ids-are-strings',
    kind,
    severity: 'high',
    difficulty: 'easy',
    wrong: 'In lists an id is a string.',
    breaks: ['contract 2', 'id: integer, int64, required.'],
    found: '`GET /pets`.',
    make: () => text(['listPets'], (body) => body.replaceAll(/"id":(\d+)/g, '"id":"$1"')),
  },
  {
    number: 37,
    name: 'time-without-zone',
    kind,
    severity: 'medium',
    difficulty: 'medium',
    wrong: 'The times of orders have no time zone.',
    breaks: ['decision 11', 'The times of an order are RFC 3339.'],
    found: '`GET /store/orders` of a shop with an order.',
    make: () => text(orderOperations, (body) => body.replaceAll(/("(?:placedAt|updatedAt)":"[^"]*)Z"/g, '$1"')),
  },
  {
    number: 38,
    name: 'leap-second',
    kind,
    severity: 'medium',
    difficulty: 'devilish',
    wrong: 'A time at a full minute is written as second 60 of the minute before.',
    breaks: ['decision 11', 'The times of an order are RFC 3339: second 60 is for leap seconds.'],
    found: 'Read an order that was placed in the first second of a minute.',
    make: () =>
      text(orderOperations, (body) =>
        body.replaceAll(/("(?:placedAt|updatedAt)":")([^"]+:00\.\d+Z)"/g, (_all, name: string, time: string) => {
          const before = new Date(Date.parse(time) - 60_000).toISOString()
          return `${name}${before.slice(0, 17)}60${before.slice(19)}"`
        }),
      ),
  },
  {
    number: 39,
    name: 'names-normalized',
    kind,
    severity: 'low',
    difficulty: 'hard',
    wrong: 'Names are brought to NFC: e with a combining accent becomes é.',
    breaks: [silent, 'A name is kept exactly as sent: no normalising.'],
    found: 'Create with a name that has combining marks and compare the bytes.',
    make: () =>
      storedPet((pet) => (pet.name.length > maxNormalizedLength ? pet : { ...pet, name: pet.name.normalize('NFC') })),
  },
  {
    number: 40,
    name: 'emoji-lost',
    kind,
    severity: 'medium',
    difficulty: 'medium',
    wrong: 'Characters beyond U+FFFF become question marks.',
    breaks: ['contract 2', "name: string. The animal's name."],
    found: 'Create an animal called `Hoppel 🐇`.',
    make: () => storedPet((pet) => ({ ...pet, name: pet.name.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?') })),
  },
  {
    number: 41,
    name: 'category-0-left-out',
    kind,
    severity: 'medium',
    difficulty: 'hard',
    wrong: 'The category 0 is left out of responses.',
    breaks: ['contract 2', 'categoryId: integer, int64, required.'],
    found: 'Create an animal of category 0.',
    make: () => text(petOperations, (body) => body.replaceAll(/,"categoryId":0(?=[,}])/g, '')),
  },
  {
    number: 42,
    name: 'members-echoed',
    kind,
    severity: 'low',
    difficulty: 'medium',
    wrong: 'The response to a create repeats members that are not of an animal.',
    breaks: [silent, 'Other members are ignored and never echoed.'],
    found: 'Create with a member `colour`.',
    make() {
      const sent = new WeakMap<Exchange, string>()
      const remember = beforeInput('createPet', (exchange) => void sent.set(exchange, String(exchange.findings.body)))
      const echo = replyOf(['createPet'], (honest, exchange) => {
        const members = JSON.parse((sent.get(exchange) ?? '{}').replace(/^\ufeff/, '')) as Record<string, unknown>
        const others = Object.fromEntries(Object.entries(members).filter(([name]) => !ofPet.has(name)))
        const extra = JSON.stringify(others).slice(1)
        return extra === '}' ? honest : { ...honest, body: `${String(honest.body).slice(0, -1)},${extra}` }
      })
      return { ...remember, ...echo }
    },
  },
]

/** Changes animals when they are added. */
function storedPet(change: (pet: NewPet) => NewPet): Parts {
  return port('pets', (honest) => ({ create: (pet, ...others) => honest.create(change(pet), ...others) }))
}
