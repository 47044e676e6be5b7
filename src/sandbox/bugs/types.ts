import type { Exchange } from '../../http/exchange.ts'
import type { NewPet } from '../../contract/pet.ts'
import { type Bug, bug, type Parts } from './bug.ts'
import { beforeInput, orderOperations, petOperations, port, replyOf, sentBody, text } from './vocabulary.ts'

const kind = 'types'
const silent = 'decision 1'
const maxInt64 = 2n ** 63n - 1n
/** `normalize` takes quadratic time for some long texts. */
const maxNormalizedLength = 1_000
const ofPet = new Set(['id', 'name', 'categoryId', 'status'])

export const typeBugs: readonly Bug[] = [
  bug(33, 'int64-rounded', kind, 'critical', 'medium', {
    wrong: 'A category above 2^53 is rounded to a double.',
    breaks: ['contract 2', 'categoryId: integer, int64.'],
    found: 'Create with the category 9007199254740993 and read the digits, not the number.',
    make: () =>
      storedPet((pet) => {
        const rounded = BigInt(Number(pet.categoryId))
        return { ...pet, categoryId: rounded > maxInt64 ? maxInt64 : rounded }
      }),
  }),
  bug(34, 'absent-status-is-null', kind, 'medium', 'easy', {
    wrong: 'An animal without a status has `"status":null`.',
    breaks: ['decision 1', 'If `status` is absent it stays absent.'],
    found: 'Read an animal that has no status.',
    make: () => text(petOperations, (body) => body.replaceAll(/("categoryId":-?\d+)\}/g, '$1,"status":null}')),
  }),
  bug(35, 'status-set-by-default', kind, 'high', 'easy', {
    wrong: 'An animal that is added without a status is available.',
    breaks: ['decision 1', 'If `status` is absent it stays absent, and no status filter returns the animal.'],
    found: 'Create without a status.',
    make: () => sentBody('createPet', (body) => void (body['status'] === undefined && (body['status'] = 'available'))),
  }),
  bug(36, 'ids-are-strings', kind, 'high', 'easy', {
    wrong: 'In lists an id is a string.',
    breaks: ['contract 2', 'id: integer, int64, required.'],
    found: '`GET /pets`.',
    make: () => text(['listPets'], (body) => body.replaceAll(/"id":(\d+)/g, '"id":"$1"')),
  }),
  bug(37, 'time-without-zone', kind, 'medium', 'medium', {
    wrong: 'The times of orders have no time zone.',
    breaks: ['decision 11', 'The times of an order are RFC 3339.'],
    found: '`GET /store/orders` of a shop with an order.',
    make: () => text(orderOperations, (body) => body.replaceAll(/("(?:placedAt|updatedAt)":"[^"]*)Z"/g, '$1"')),
  }),
  bug(38, 'leap-second', kind, 'medium', 'devilish', {
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
  }),
  bug(39, 'names-normalized', kind, 'low', 'hard', {
    wrong: 'Names are brought to NFC: e with a combining accent becomes é.',
    breaks: [silent, 'A name is kept exactly as sent: no normalising.'],
    found: 'Create with a name that has combining marks and compare the bytes.',
    make: () =>
      storedPet((pet) => (pet.name.length > maxNormalizedLength ? pet : { ...pet, name: pet.name.normalize('NFC') })),
  }),
  bug(40, 'emoji-lost', kind, 'medium', 'medium', {
    wrong: 'Characters beyond U+FFFF become question marks.',
    breaks: ['contract 2', "name: string. The animal's name."],
    found: 'Create an animal called `Hoppel 🐇`.',
    make: () => storedPet((pet) => ({ ...pet, name: pet.name.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?') })),
  }),
  bug(41, 'category-0-left-out', kind, 'medium', 'hard', {
    wrong: 'The category 0 is left out of responses.',
    breaks: ['contract 2', 'categoryId: integer, int64, required.'],
    found: 'Create an animal of category 0.',
    make: () => text(petOperations, (body) => body.replaceAll(/,"categoryId":0(?=[,}])/g, '')),
  }),
  bug(42, 'members-echoed', kind, 'low', 'medium', {
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
  }),
]

/** Changes animals when they are added. */
function storedPet(change: (pet: NewPet) => NewPet): Parts {
  return port('pets', (honest) => ({ create: (pet, ...others) => honest.create(change(pet), ...others) }))
}
