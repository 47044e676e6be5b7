import type { ServerResponse } from 'node:http'
import { codedTag } from '../../http/replies/content-coding.ts'
import { etagOf } from '../../http/replies/etag.ts'
import type { Exchange, Reply } from '../../http/exchange.ts'
import type { Pet } from '../../contract/pet.ts'
import { type Bug, bug, type Parts } from './bug.ts'
import { codingOf, header, operationOf, port, request, textOf } from './vocabulary.ts'

const kind = 'caching'
const silent = 'decision 1'
const tagged = '`ETag` on GET answers, `If-None-Match` gives 304.'
const minuteMs = 60_000
/** How many characters of animals a bug remembers. A name may be as long as a body. */
const maxCharacters = 1_000_000
/** What an animal counts beside its name. */
const petCharacters = 1_000

export const cachingBugs: readonly Bug[] = [
  bug(55, 'etag-never-changes', kind, 'critical', 'medium', {
    wrong: 'The ETag of an animal is made of its id: it stays the same when the animal changes.',
    breaks: [silent, tagged],
    found: 'Read an animal, change it, read it with `If-None-Match`.',
    make: () => ({
      ...handled(['getPet', 'updatePet', 'createPet'], (reply) => withTag(reply, tagOfId(reply.body))),
      ...request(({ headers }) => {
        if (/^"pet-\d+"$/.test(headers['if-match'] ?? '')) headers['if-match'] = undefined
      }),
    }),
  }),
  bug(56, 'weak-tags-match', kind, 'medium', 'hard', {
    wrong: '`If-Match` compares weakly: `W/"x"` matches `"x"`.',
    breaks: [silent, '`If-Match` compares strongly (RFC 9110, 13.1.1).'],
    found: 'Change an animal with `If-Match: W/` and its tag.',
    make: () => request(({ headers }) => void (headers['if-match'] = headers['if-match']?.replaceAll('W/"', '"'))),
  }),
  bug(57, 'not-modified-with-body', kind, 'high', 'devilish', {
    wrong: 'A 304 has a body, which the client takes for the beginning of the next response.',
    breaks: ['RFC 9110, 15.4.5', 'A 304 response is terminated by the end of the header section.'],
    found: 'Send two requests on one connection, the first with `If-None-Match`.',
    make() {
      const whole = new WeakMap<Exchange, Reply>()
      return {
        ...handled(['getPet'], (reply, exchange) => {
          whole.set(exchange, reply)
          return reply
        }),
        send(exchange, reply, send) {
          const body = reply.status === 304 ? whole.get(exchange)?.body : undefined
          if (body !== undefined) allowBody(exchange.response.outgoing)
          send(exchange, body === undefined ? reply : { ...reply, body })
        },
      }
    },
  }),
  bug(58, 'never-304', kind, 'low', 'medium', {
    wrong: '`If-None-Match` is ignored.',
    breaks: [silent, tagged],
    found: '`GET /pets/1` with `If-None-Match` and its tag is 200.',
    make: () =>
      request(({ method, headers }) => {
        if (method === 'GET' || method === 'HEAD') headers['if-none-match'] = undefined
      }),
  }),
  bug(59, 'list-etag-of-ids', kind, 'high', 'devilish', {
    wrong: 'The ETag of a list is made of its ids: a changed animal leaves it as it is.',
    breaks: [silent, tagged],
    found: 'Read a list, change the name of one of its animals, read it with `If-None-Match`.',
    make: () =>
      handled(['listPets'], (reply) => {
        const etag = etagOf(
          textOf(reply)
            ?.match(/"id":\d+/g)
            ?.join() ?? '',
        )
        const coding = codingOf(reply)
        return withTag(reply, coding === undefined ? etag : codedTag(etag, coding))
      }),
  }),
  bug(60, 'stale-animal', kind, 'high', 'hard', {
    wrong: 'An animal that was read by its id is returned from memory for a minute, whatever has changed.',
    breaks: ['contract 4.3', '200: The requested animal.'],
    found: 'Read an animal, change it, read it again.',
    make({ clock }) {
      const remembered = new Map<bigint, { pet: Pet; until: number }>()
      let characters = 0
      function remember(pet: Pet): void {
        const more = petCharacters + pet.name.length
        if (characters + more > maxCharacters) {
          remembered.clear()
          characters = 0
        }
        characters += more
        remembered.set(pet.id, { pet, until: clock() + minuteMs })
      }
      return port('pets', (honest) => ({
        async find(id) {
          const known = remembered.get(id)
          if (known !== undefined && clock() < known.until) return known.pet
          const pet = await honest.find(id)
          if (pet !== undefined) remember(pet)
          return pet
        },
      }))
    },
  }),
  bug(61, 'cached-for-everybody', kind, 'high', 'medium', {
    wrong: 'Animals have `Cache-Control: public, max-age=60`: a shared cache gives them to anyone.',
    breaks: [silent, 'Private, revalidated caching.'],
    found: 'The headers of `GET /pets`.',
    make: () =>
      header('cache-control', (value, reply, exchange) =>
        reply.status < 400 && ['listPets', 'getPet'].includes(operationOf(exchange) ?? '')
          ? 'public, max-age=60'
          : value,
      ),
  }),
  bug(62, 'errors-may-be-stored', kind, 'low', 'easy', {
    wrong: 'Errors have no `Cache-Control`.',
    breaks: [silent, '`Cache-Control: no-store` on errors.'],
    found: 'The headers of any error.',
    make: () => header('cache-control', (value, { status }) => (status >= 400 ? undefined : value)),
  }),
]

/** Changes the replies of handlers, before preconditions are compared. */
function handled(operations: readonly string[], change: (reply: Reply, exchange: Exchange) => Reply): Parts {
  return {
    route: (route) =>
      operations.includes(route.operation?.id ?? '')
        ? { ...route, handle: async (exchange) => change(await route.handle(exchange), exchange) }
        : route,
  }
}

function withTag(reply: Reply, etag: string): Reply {
  return { ...reply, headers: { ...reply.headers, etag } }
}

function tagOfId(body: Reply['body']): string {
  return `"pet-${/^\{"id":(\d+)/.exec(String(body))?.[1] ?? ''}"`
}

/** Node would not send the body of a 304. */
function allowBody(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse
  const changed = (...values: unknown[]): ServerResponse => {
    const result = writeHead(...values)
    Object.assign(response, { _hasBody: true })
    return result
  }
  response.writeHead = changed
}
