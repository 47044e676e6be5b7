import { setTimeout as wait } from 'node:timers/promises'
import { encodePet } from '../../contract/pet.ts'
import { type BulkOutcome, canCount } from '../../inventory/pets.ts'
import { isMet } from '../../inventory/precondition.ts'
import { type Bug, bug } from './bug.ts'
import { port, request } from './vocabulary.ts'

const kind = 'concurrency'
/** Between a look and the change that relies on it. */
const gapMs = 20

export const concurrencyBugs: readonly Bug[] = [
  bug(63, 'lost-update', kind, 'critical', 'devilish', {
    wrong: '`If-Match` is compared a moment before the change: of two changes at once, one is lost.',
    breaks: ['decision 11', 'Both honour `If-Match` (412): the tag is compared in the transaction of the change.'],
    found: 'Send two changes with the same `If-Match` at once: both are 200.',
    make: () =>
      port('pets', (honest) => ({
        async update(id, change, precondition, author) {
          if (precondition?.match === undefined) return honest.update(id, change, precondition, author)
          const pet = await honest.find(id)
          if (pet === undefined || !isMet(precondition, encodePet(pet)))
            return honest.update(id, change, precondition, author)
          await wait(gapMs)
          return honest.update(id, change, undefined, author)
        },
      })),
  }),
  bug(64, 'double-sale', kind, 'critical', 'devilish', {
    wrong: 'Clients that order one animal at the same moment all get a 201.',
    breaks: ['decision 11', 'No animal is ever sold twice: exactly one of many orders at once succeeds.'],
    found: 'Send two orders of one animal at once: both are 201.',
    make: () =>
      port('orders', (honest, { pets }) => ({
        async place(order, idempotencyKey, author) {
          const isAvailable = (await pets.find(order.petId))?.status === 'available'
          if (isAvailable) await wait(gapMs)
          const placement = await honest.place(order, idempotencyKey, author)
          if (!isAvailable || placement.outcome !== 'taken') return placement
          const { items } = await honest.list({ petId: order.petId, status: 'placed' }, 1, 0n)
          return items[0] === undefined ? placement : { outcome: 'placed', order: items[0] }
        },
      })),
  }),
  bug(65, 'if-match-ignored', kind, 'critical', 'medium', {
    wrong: 'A change of an animal ignores `If-Match`.',
    breaks: ['decision 11', 'Both honour `If-Match` (412).'],
    found: 'Change an animal with `If-Match: "stale"`: 200.',
    make: () => request(({ method, headers }) => void (method === 'PATCH' && (headers['if-match'] = undefined))),
  }),
  bug(66, 'delete-ignores-if-match', kind, 'high', 'medium', {
    wrong: 'A delete ignores `If-Match`.',
    breaks: ['decision 11', 'Both honour `If-Match` (412).'],
    found: 'Delete an animal with `If-Match: "stale"`: 204.',
    make: () => request(({ method, headers }) => void (method === 'DELETE' && (headers['if-match'] = undefined))),
  }),
  bug(67, 'put-overwrites', kind, 'medium', 'hard', {
    wrong: '`PUT /categories/{categoryId}` with `If-None-Match: *` overwrites a category that exists.',
    breaks: ['decision 11', '`PUT` evaluates `If-Match` and `If-None-Match`.'],
    found: 'Name a category twice with `If-None-Match: *`.',
    make: () => request(({ method, headers }) => void (method === 'PUT' && (headers['if-none-match'] = undefined))),
  }),
  bug(121, 'count-of-another-moment', kind, 'medium', 'devilish', {
    wrong: '`X-Total-Count` is counted a moment after the page was read: while others write, they do not fit.',
    breaks: ['decision 49', 'Everything in one response is one committed state of the shop.'],
    found:
      'Add an animal while `GET /pets` with `Prefer: count=exact` is answered: the count has it, the page does not.',
    make: () =>
      port('pets', (honest) => ({
        async list(query, ...rest) {
          const page = await honest.list(query, ...rest)
          if (page.total === undefined || !canCount(query)) return page
          await wait(gapMs)
          return { ...page, total: await honest.count(query) }
        },
      })),
  }),
  bug(122, 'half-a-transaction', kind, 'high', 'devilish', {
    wrong: 'A bulk change of `ids` is two transactions: for a moment half of it is seen.',
    breaks: ['decision 49', 'Everything in one response is one committed state; a bulk change is one transaction.'],
    found:
      'Read the list again and again during `POST /pets/bulk` with `ids`: some of the animals are changed, others not.',
    make: () =>
      port('pets', (honest) => ({
        async changeMany(request, caller) {
          const { ids = [] } = request.filter
          if (ids.length < 2 || request.idempotencyKey !== undefined) return honest.changeMany(request, caller)
          const middle = Math.ceil(ids.length / 2)
          const changeSome = (some: readonly bigint[]) =>
            honest.changeMany({ ...request, filter: { ...request.filter, ids: [...some] } }, caller)
          const first = await changeSome(ids.slice(0, middle))
          await wait(gapMs)
          return sumOf(first, await changeSome(ids.slice(middle)))
        },
      })),
  }),
]

/** What two changes have done together. */
function sumOf(one: BulkOutcome, other: BulkOutcome): BulkOutcome {
  if (one.outcome !== 'done' || other.outcome !== 'done') return other
  const { changed, unchanged, refused, ordered } = one.done
  return {
    outcome: 'done',
    done: {
      ...other.done,
      changed: changed + other.done.changed,
      unchanged: unchanged + other.done.unchanged,
      refused: refused + other.done.refused,
      ordered: [...ordered, ...other.done.ordered],
    },
  }
}
