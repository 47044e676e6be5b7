import { type Bug, bug } from './bug.ts'
import { header, operationOf, request } from './vocabulary.ts'

const kind = 'headers'
const silent = 'decision 1'
const announced = 'Every answer, errors too, has `Deprecation` and `Sunset: Thu, 05 Dec 2030 00:00:00 GMT`.'

export const headerBugs: readonly Bug[] = [
  bug(86, 'wrong-charset', kind, 'medium', 'medium', {
    wrong: 'Responses say `charset=iso-8859-1` and are UTF-8.',
    breaks: ['contract 4', 'All requests and responses with a body use `application/json`.'],
    found: 'The Content-Type of any response.',
    make: () =>
      header('content-type', (value) =>
        value.startsWith('application/json') ? 'application/json; charset=iso-8859-1' : value,
      ),
  }),
  bug(87, 'location-of-the-next', kind, 'high', 'medium', {
    wrong: 'The `Location` of a new animal has the id of the next one.',
    breaks: [silent, '201 carries `Location: /v1/pets/N`.'],
    found: 'Compare the `Location` of a 201 with its id.',
    make: () => header('location', (value) => value.replace(/(?<=\/pets\/)\d+$/, (id) => String(BigInt(id) + 1n))),
  }),
  bug(88, 'request-id-not-returned', kind, 'low', 'medium', {
    wrong: 'A response has an `X-Request-Id` of its own, whatever the client sent.',
    breaks: [silent, "Every answer carries `X-Request-Id` (the client's, if it sent a sane one)."],
    found: 'Send `X-Request-Id: abc`.',
    make() {
      let count = 0
      return request((received) => void (received.id = `request-${++count}`))
    },
  }),
  bug(89, 'deprecation-not-on-errors', kind, 'low', 'medium', {
    wrong: 'Errors of getPet do not say that it is deprecated.',
    breaks: [silent, announced],
    found: 'The headers of `GET /pets/999999`.',
    make: () => header('deprecation', (value, { status }) => (status >= 400 ? undefined : value)),
  }),
  bug(90, 'sunset-a-year-late', kind, 'medium', 'hard', {
    wrong: '`Sunset` of getPet is in 2031.',
    breaks: ['contract 9', '`GET /pets/{petId}` is deprecated and is removed on 5 December 2030.'],
    found: 'Compare `Sunset` with the contract.',
    make: () => header('sunset', () => 'Fri, 05 Dec 2031 00:00:00 GMT'),
  }),
  bug(91, 'no-allow', kind, 'low', 'easy', {
    wrong: 'A 405 has no `Allow`.',
    breaks: [silent, 'Unknown method on a known path: 405 with `Allow`.'],
    found: '`PUT /pets`.',
    make: () => header('allow', (value, { status }) => (status === 405 ? undefined : value)),
  }),
  bug(92, 'animal-is-text-json', kind, 'medium', 'easy', {
    wrong: 'An animal by its id is `text/json`.',
    breaks: ['contract 4', 'All requests and responses with a body use `application/json`.'],
    found: 'The Content-Type of `GET /pets/1`.',
    make: () =>
      header('content-type', (value, { status }, exchange) =>
        status === 200 && operationOf(exchange) === 'getPet' ? 'text/json' : value,
      ),
  }),
]
