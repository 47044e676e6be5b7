import { PetStoreError } from '../../inventory/errors.ts'
import { identityOf, type IdempotencyKey } from '../../inventory/idempotency-key.ts'
import { type Bug, bug, type Parts } from './bug.ts'
import { header, operationOf, port } from './vocabulary.ts'

const kind = 'idempotency'
const source = 'decision 4'
const replays = 'The same key and same body replays the first answer.'
const hourMs = 60 * 60_000
/** How many keys a bug remembers. */
const maxKeys = 10_000
/** In characters of the header, with quotes and escapes. A longer one is refused by itself. */
const maxKeyLength = 600

export const idempotencyBugs: readonly Bug[] = [
  bug(68, 'key-forgotten-after-error', kind, 'critical', 'devilish', {
    wrong: 'After a 422 the Idempotency-Key is forgotten: the next retry adds a second animal.',
    breaks: [source, replays],
    found: 'Create with a key, send it with another body (422), send the first one again.',
    make() {
      const errors = new Map<string, number>()
      return port('pets', (honest) => ({
        async create(pet, key, author) {
          const creation = await honest.create(pet, key && suffixed(key, errors.get(identityOf(key)) ?? 0), author)
          if (key !== undefined && creation.outcome === 'mismatch') {
            if (errors.size >= maxKeys) errors.clear()
            errors.set(identityOf(key), (errors.get(identityOf(key)) ?? 0) + 1)
          }
          return creation
        },
      }))
    },
  }),
  bug(69, 'key-shared-by-clients', kind, 'critical', 'hard', {
    wrong: 'Idempotency-Keys of different API keys are the same: a client gets the animal of another one.',
    breaks: [source, 'An Idempotency-Key is scoped to the API key.'],
    found: 'Create with one Idempotency-Key and two API keys.',
    make: () => creates((key) => ({ ...key, keyId: 'everybody' })),
  }),
  bug(70, 'another-body-replayed', kind, 'high', 'medium', {
    wrong: 'A used Idempotency-Key with another body gets the first response.',
    breaks: [source, 'Another body is 422 `idempotency_mismatch`.'],
    found: 'Create two animals with one key.',
    make: () => creates((key) => ({ ...key, fingerprint: 'any' })),
  }),
  bug(71, 'replay-not-marked', kind, 'low', 'medium', {
    wrong: 'A replayed response has no `Idempotent-Replayed`.',
    breaks: [source, 'A replay has `Idempotent-Replayed: true`.'],
    found: 'Create twice with one key.',
    make: () => header('idempotent-replayed', () => undefined),
  }),
  bug(72, 'refusal-remembered', kind, 'medium', 'hard', {
    wrong: 'An Idempotency-Key that came with an invalid body cannot be used any more: 422.',
    breaks: [source, 'Refused requests are not remembered.'],
    found: 'Send an invalid create with a key, then a valid one.',
    make() {
      const refused = new Set<string>()
      return {
        gates: (gates) => ({
          ...gates,
          checkInput(exchange) {
            const name = exchange.request.headers['idempotency-key']
            if (name === undefined || operationOf(exchange) !== 'createPet') return gates['checkInput']?.(exchange)
            if (refused.has(name))
              throw new PetStoreError('idempotency_mismatch', 'This Idempotency-Key was used with another body.')
            try {
              return gates['checkInput']?.(exchange)
            } catch (error) {
              if (refused.size >= maxKeys) refused.clear()
              if (name.length <= maxKeyLength) refused.add(name)
              throw error
            }
          },
        }),
      }
    },
  }),
  bug(73, 'orders-not-idempotent', kind, 'high', 'medium', {
    wrong: 'Orders ignore the Idempotency-Key: a retry is 409.',
    breaks: [source, 'An order is placed with an `Idempotency-Key` honoured.'],
    found: 'Order twice with one key.',
    make: () =>
      port('orders', (honest) => ({ place: (order, _key, author) => honest.place(order, undefined, author) })),
  }),
  bug(74, 'key-without-case', kind, 'high', 'devilish', {
    wrong: 'Idempotency-Keys that differ in case are the same.',
    breaks: [source, 'An Idempotency-Key is 1–255 characters, compared as they are.'],
    found: 'Create the same animal with the keys `a` and `A`: the second is not added.',
    make: () => creates((key) => ({ ...key, name: key.name.toLowerCase() })),
  }),
  bug(75, 'key-kept-an-hour', kind, 'critical', 'devilish', {
    wrong: 'An Idempotency-Key is forgotten after an hour.',
    breaks: [source, 'It is kept for 24 h.'],
    found: 'Create with a key, move the clock of the shop by two hours, send it again.',
    unfindable: 'without the clock of the sandbox it takes an hour.',
    make({ clock }) {
      const firstUses = new Map<string, number>()
      return creates((key) => {
        const first = firstUses.get(identityOf(key)) ?? clock()
        if (firstUses.size >= maxKeys) firstUses.clear()
        firstUses.set(identityOf(key), first)
        return suffixed(key, Math.floor((clock() - first) / hourMs))
      })
    },
  }),
]

function creates(change: (key: IdempotencyKey) => IdempotencyKey): Parts {
  return port('pets', (honest) => ({
    create: (pet, key, author) => honest.create(pet, key && change(key), author),
  }))
}

/** Another key for the storage. */
function suffixed(key: IdempotencyKey, number: number): IdempotencyKey {
  return number === 0 ? key : { ...key, name: `${key.name} ${number}` }
}
