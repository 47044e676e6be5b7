import { errorReply } from '../../http/replies/errors.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { NewPet } from '../../contract/pet.ts'
import { type Bug, bug } from './bug.ts'
import { errorText, header, operationOf, reply, route } from './vocabulary.ts'

const kind = 'errors'
const silent = 'decision 1'

export const errorBugs: readonly Bug[] = [
  bug(76, 'error-status-differs', kind, 'medium', 'easy', {
    wrong: 'The Error of a 400 says `"status":422`.',
    breaks: ['contract 2', 'status: integer, required. The HTTP status code.'],
    found: 'Compare the status line of a 400 with its body.',
    make: () => errorText((body, status) => (status === 400 ? body.replace(/"status":400\}$/, '"status":422}') : body)),
  }),
  bug(77, 'unknown-animal-is-null', kind, 'high', 'easy', {
    wrong: 'An id that no animal has is 200 with `null`.',
    breaks: ['contract 4.3', '404: The requested resource could not be found.'],
    found: '`GET /pets/999999`.',
    make: () =>
      reply((honest, exchange) =>
        honest.status === 404 && operationOf(exchange) === 'getPet'
          ? { status: 200, headers: { ...honest.headers }, body: 'null' }
          : honest,
      ),
  }),
  bug(78, 'html-for-unknown-paths', kind, 'medium', 'easy', {
    wrong: 'The 404 of an unknown path is a web page.',
    breaks: [silent, 'Every error, from every layer, is `application/json` with `code`, `message` and `status`.'],
    found: '`GET /nothing`.',
    make: () =>
      reply((honest, exchange) =>
        honest.status === 404 && exchange.findings.route === undefined
          ? { ...honest, headers: { ...honest.headers, 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' }
          : honest,
      ),
  }),
  bug(79, 'error-with-a-trace', kind, 'medium', 'easy', {
    wrong: 'Errors have a member `trace` with places in the code.',
    breaks: [silent, 'An error has exactly `code`, `message`, `status`. Nothing internal leaves the service.'],
    found: 'The body of any error.',
    make: () => errorText((body) => body.replace(/\}$/, ',"trace":"at createPet (pets.js:42)"}')),
  }),
  bug(80, 'codes-in-capitals', kind, 'medium', 'easy', {
    wrong: 'Error codes are in capitals.',
    breaks: [silent, 'Error codes: the closed set, such as `invalid_body`.'],
    found: 'The body of any error.',
    make: () =>
      errorText((body) => body.replace(/"code":"(\w+)"/, (_all, code: string) => `"code":"${code.toUpperCase()}"`)),
  }),
  bug(81, 'wrong-method-is-404', kind, 'low', 'medium', {
    wrong: 'A method that a path does not have is 404.',
    breaks: [silent, 'Unknown method on a known path: 405 with `Allow`.'],
    found: '`PUT /pets`.',
    make: () =>
      reply((honest, exchange) => {
        if (honest.status !== 405) return honest
        delete exchange.response.headers['allow']
        return errorReply(new PetStoreError('not_found', 'There is nothing at this path.'))
      }),
  }),
  bug(82, 'smallest-category-fails', kind, 'medium', 'devilish', {
    wrong: 'The smallest int64 as a category is a 500.',
    breaks: ['contract 2', 'categoryId: integer, int64.'],
    found: 'Create with the category -9223372036854775808.',
    make: () =>
      route('createPet', (honest) => ({
        ...honest,
        handle: (exchange) =>
          (exchange.findings.body as NewPet).categoryId === -(2n ** 63n)
            ? errorReply(new PetStoreError('internal', 'The service failed to process this request.'))
            : honest.handle(exchange),
      })),
  }),
  bug(83, 'message-shows-sql', kind, 'medium', 'hard', {
    wrong: 'The message of a 404 shows a statement of the database.',
    breaks: [silent, 'Nothing internal (stack, SQL, path, library name) leaves the service.'],
    found: 'The message of `GET /pets/999999`.',
    make: () =>
      errorText((body, status) =>
        status === 404 ? body.replace(/"message":"[^"]*"/, '"message":"SELECT * FROM pets: 0 rows"') : body,
      ),
  }),
  bug(84, 'refusals-are-text', kind, 'medium', 'easy', {
    wrong: 'A 400 is `text/plain`.',
    breaks: ['contract 4', 'All requests and responses with a body use `application/json`.'],
    found: 'The headers of any 400.',
    make: () => header('content-type', (value, { status }) => (status === 400 ? 'text/plain' : value)),
  }),
  bug(85, 'taken-animal-is-400', kind, 'low', 'medium', {
    wrong: 'An order of an animal that is not available is 400.',
    breaks: ['decision 11', '`placeOrder` takes an `available` animal to `pending`, or 409.'],
    found: 'Order an animal twice.',
    make: () =>
      reply((honest, exchange) =>
        honest.status === 409 && operationOf(exchange) === 'placeOrder'
          ? errorReply(new PetStoreError('invalid_request', 'The animal is not available.'))
          : honest,
      ),
  }),
]
