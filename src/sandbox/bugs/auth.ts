import { includesPermission } from '../../contract/operation.ts'
import type { Gate, Gates } from '../../http/exchange.ts'
import { challenge, unauthorized } from '../../http/replies/challenge.ts'
import type { ReceivedRequest } from '../../http/request/received-request.ts'
import type { ApiKey, Keys } from '../../inventory/keys.ts'
import { type Bug, bug, type Parts } from './bug.ts'
import { header, operationOf, port, text } from './vocabulary.ts'

const kind = 'auth'
const silent = 'decision 1'
const missing = 'When the key is missing or invalid, the service answers 401 with an Error body.'
const minuteMs = 60_000

export const authBugs: readonly Bug[] = [
  bug(43, 'lists-need-no-key', kind, 'critical', 'easy', {
    wrong: 'Animals are listed without a key.',
    breaks: ['contract 5', missing],
    found: '`GET /pets` without `Authorization`.',
    make: ({ ownKey }) =>
      opens(ownKey, ({ headers }, operation) => operation === 'listPets' && headers.authorization === undefined),
  }),
  bug(44, 'any-key-opens-an-animal', kind, 'critical', 'easy', {
    wrong: 'Any bearer token reads an animal by its id.',
    breaks: ['contract 5', missing],
    found: '`GET /pets/1` with an invented key.',
    make: ({ ownKey }) =>
      opens(
        ownKey,
        ({ headers }, operation) => operation === 'getPet' && /^bearer +\S/i.test(headers.authorization ?? ''),
      ),
  }),
  bug(45, 'any-scheme', kind, 'medium', 'medium', {
    wrong: 'The key is accepted in any scheme, also without one.',
    breaks: ['contract 5', 'Every operation requires HTTP bearer authentication.'],
    found: '`Authorization: Basic KEY`.',
    make: ({ ownKey }) => opens(ownKey, ({ headers }) => /\S+$/.exec(headers.authorization ?? '')?.[0] === ownKey.id),
  }),
  bug(46, 'key-in-the-address', kind, 'high', 'hard', {
    wrong: 'The key is accepted in the query, from where it gets into logs: `?key=KEY`.',
    breaks: [silent, 'A key that is only in the query is 401.'],
    found: '`GET /pets?key=KEY` without `Authorization`.',
    make: ({ ownKey }) => opens(ownKey, ({ target }) => new URLSearchParams(target.query).get('key') === ownKey.id),
  }),
  bug(47, 'not-found-before-key', kind, 'low', 'medium', {
    wrong: 'Without a key, an unknown path is 404.',
    breaks: [silent, 'Everything under `/v1` asks for the key first, unknown paths and wrong methods included.'],
    found: '`GET /nothing` without `Authorization`.',
    make: () => ({ gates: (gates) => moved(gates, ['authenticate'], 'refuseUnknown') }),
  }),
  bug(48, 'validation-before-key', kind, 'medium', 'medium', {
    wrong: 'Without a key, an invalid request is 400.',
    breaks: ['contract 5', missing],
    found: 'A create with `{}` without `Authorization`.',
    make: () => ({
      gates: ({ findRoute, ...gates }) => ({
        findRoute,
        // Unknown paths are right: they ask for the key first.
        authenticateUnknown: (exchange) =>
          exchange.findings.route === undefined ? gates['authenticate']?.(exchange) : undefined,
        ...moved(gates, ['authenticate', 'authorize'], 'checkInput'),
      }),
    }),
  }),
  bug(49, 'revoked-key-works-a-minute', kind, 'critical', 'hard', {
    wrong: 'A revoked key works for another minute.',
    breaks: [silent, 'A revoked key stops working at once (within 1 s across instances).'],
    found: 'Make a key, revoke it, use it.',
    make: ({ clock }) =>
      foundKey(({ revokedAt, ...key }) =>
        revokedAt === undefined || clock() - revokedAt < minuteMs ? key : { ...key, revokedAt },
      ),
  }),
  bug(50, 'expired-key-works', kind, 'critical', 'hard', {
    wrong: 'A key does not expire.',
    breaks: [silent, 'An expired key is 401.'],
    found: 'Make a key with `expiresAt`, move the clock of the shop, use the key.',
    make: () => foundKey(({ expiresAt: _expiresAt, ...key }) => key),
  }),
  bug(51, 'read-key-writes', kind, 'critical', 'medium', {
    wrong: 'A key with the permission `read` may add and change animals.',
    breaks: [silent, 'A key has a permission: `read` or `write`.'],
    found: 'A create with a read key.',
    make: () =>
      gate('authorize', (honest) => (exchange) => {
        if (exchange.findings.route?.operation?.permission !== 'write') return honest(exchange)
        return undefined
      }),
  }),
  bug(52, 'bearer-in-one-case', kind, 'medium', 'medium', {
    wrong: 'The scheme must be written `Bearer`; `bearer` is 401.',
    breaks: [silent, 'The scheme is compared without case.'],
    found: '`Authorization: bearer KEY`.',
    make: () =>
      gate('authenticate', (honest) => (exchange) => {
        if ((exchange.request.headers.authorization ?? 'Bearer ').startsWith('Bearer ')) return honest(exchange)
        challenge(exchange)
        throw unauthorized()
      }),
  }),
  bug(53, 'no-challenge', kind, 'low', 'easy', {
    wrong: 'A 401 has no `WWW-Authenticate`.',
    breaks: [silent, 'The 401 has `WWW-Authenticate: Bearer`.'],
    found: '`GET /pets` without `Authorization`.',
    make: () => header('www-authenticate', () => undefined),
  }),
  bug(54, 'forbidden-is-401', kind, 'low', 'medium', {
    wrong: 'What a key may not do is 401 instead of 403.',
    breaks: ['decision 32', 'Without the permission 403.'],
    found: 'A create with a read key.',
    make: () =>
      gate('authorize', () => (exchange) => {
        const { route, key } = exchange.findings
        if (key === undefined || includesPermission(key.permission, route?.operation?.permission ?? 'read')) return
        challenge(exchange)
        throw unauthorized()
      }),
  }),
  bug(115, 'revoked-key-shown-active', kind, 'medium', 'medium', {
    wrong: '`GET /keys/{keyId}` says that a revoked key is active.',
    breaks: ['decision 32', '`GET /keys/{keyId}` returns one key as it is.'],
    found: 'Revoke a key and read it.',
    make: () => text(['getKey'], (body) => body.replace('"state":"revoked"', '"state":"active"')),
  }),
]

function gate(name: string, change: (honest: Gate) => Gate): Parts {
  return { gates: (gates) => ({ ...gates, [name]: change(gates[name] as Gate) }) }
}

/** Lets requests in as if they had the key of the shop. */
function opens(ownKey: ApiKey, isOpen: (request: ReceivedRequest, operation?: string) => boolean): Parts {
  return gate('authenticate', (honest) => (exchange) => {
    const { request, findings } = exchange
    if (!findings.requiresKey || !isOpen(request, operationOf(exchange))) return honest(exchange)
    findings.key = ownKey
    return undefined
  })
}

/** Gates in their order, but for some that come after another one. */
function moved(gates: Gates, names: readonly string[], after: string): Gates {
  const entries = Object.entries(gates)
  const late = entries.filter(([name]) => names.includes(name))
  const others = entries.filter(([name]) => !names.includes(name))
  return Object.fromEntries(others.flatMap((entry) => (entry[0] === after ? [entry, ...late] : [entry])))
}

/** Changes what is known of a key when a request comes with it. */
function foundKey(change: (key: ApiKey) => ApiKey): Parts {
  return port('keys', ({ find, recall }: Keys) => {
    const changed = (key: ApiKey | undefined) => key && change(key)
    return { find: async (hash) => changed(await find(hash)), recall: (hash) => changed(recall(hash)) }
  })
}
