import { type Bug, bug } from './bug.ts'
import { beforeInput, request, route, sentBody } from './vocabulary.ts'

const kind = 'validation'
const silent = 'decision 1'

/** The bodies of creates. */
export const newPetBugs: readonly Bug[] = [
  bug(8, 'name-not-required', kind, 'high', 'easy', {
    wrong: 'A create without a name adds an animal called "unnamed".',
    breaks: ['contract 4.2', '`name` and `categoryId` are required.'],
    found: 'A create with `{"categoryId":1}` is 201.',
    make: () => sentBody('createPet', (body) => void (body['name'] === undefined && (body['name'] = 'unnamed'))),
  }),
  bug(9, 'category-not-required', kind, 'high', 'easy', {
    wrong: 'A create without a category adds the animal to category 0.',
    breaks: ['contract 4.2', '`name` and `categoryId` are required.'],
    found: 'A create with `{"name":"Rex"}` is 201.',
    make: () => sentBody('createPet', (body) => void (body['categoryId'] === undefined && (body['categoryId'] = 0))),
  }),
  bug(10, 'blank-name-accepted', kind, 'low', 'medium', {
    wrong: 'A name of white space is accepted.',
    breaks: [silent, '`name`: a non-empty string, not only white space.'],
    found: 'A create with the name `"  "` is 201.',
    make: () =>
      route('createPet', (honest) => ({
        ...honest,
        checkBody(body, isStrict) {
          const [, blank] = /"name"\s*:\s*"( +)"/.exec(String(body)) ?? []
          if (blank === undefined) return honest.checkBody?.(body, isStrict)
          const named = Buffer.from(String(body).replace(`"${blank}"`, '"x"'))
          return { ...(honest.checkBody?.(named, isStrict) as object), name: blank }
        },
      })),
  }),
  bug(11, 'name-trimmed', kind, 'low', 'medium', {
    wrong: 'White space at the ends of a name is cut.',
    breaks: [silent, 'A name is kept exactly as sent: no trimming.'],
    found: 'The name `" Rex "` comes back as `"Rex"`.',
    make: () =>
      sentBody('createPet', (body) => {
        if (typeof body['name'] === 'string' && body['name'].trim() !== '') body['name'] = body['name'].trim()
      }),
  }),
  bug(12, 'category-as-text', kind, 'low', 'easy', {
    wrong: 'A category that is a string of digits is accepted.',
    breaks: ['contract 4.2', '400: Body is missing required fields or contains invalid values.'],
    found: 'A create with `"categoryId":"1"` is 201.',
    make: () =>
      sentBody('createPet', (body) => {
        const { categoryId } = body
        if (typeof categoryId === 'string' && /^\d{1,18}$/.test(categoryId)) body['categoryId'] = Number(categoryId)
      }),
  }),
  bug(13, 'category-fraction-cut', kind, 'medium', 'easy', {
    wrong: 'The fraction of a category is cut: 1.5 becomes 1.',
    breaks: ['contract 4.2', '400: Body is missing required fields or contains invalid values.'],
    found: 'A create with `"categoryId":1.5` is 201.',
    make: () =>
      beforeInput('createPet', (exchange) => {
        const body = String(exchange.findings.body)
        const whole = body.replace(/("categoryId"\s*:\s*-?\d+)\.\d*[1-9]\d*(?=\s*[,}])/, '$1')
        if (whole !== body) exchange.findings.body = Buffer.from(whole)
      }),
  }),
  bug(14, 'negative-category-refused', kind, 'medium', 'medium', {
    wrong: 'Categories below zero are refused.',
    breaks: ['contract 2', 'categoryId: integer, int64.'],
    found: 'A create with `"categoryId":-7` is 400.',
    make: () =>
      sentBody('createPet', (body) => {
        const isNegative = /^-0*[1-9]/.test(JSON.stringify(body['categoryId'] ?? ''))
        if (isNegative) body['categoryId'] = 'below zero'
      }),
  }),
  bug(15, 'null-status-accepted', kind, 'low', 'medium', {
    wrong: 'A create with `"status":null` adds an animal without a status.',
    breaks: ['decision 1', '`status` is one of the three, or absent.'],
    found: 'A create with `"status":null` is 201.',
    make: () => sentBody('createPet', (body) => void (body['status'] === null && delete body['status'])),
  }),
  bug(16, 'status-in-capitals-accepted', kind, 'low', 'easy', {
    wrong: 'A create takes SOLD for sold.',
    breaks: ['contract 2', 'Allowed values: `available`, `pending`, `sold`.'],
    found: 'A create with `"status":"SOLD"` is 201.',
    make: () =>
      sentBody('createPet', (body) => {
        if (typeof body['status'] === 'string') body['status'] = body['status'].toLowerCase()
      }),
  }),
  bug(17, 'any-content-type', kind, 'medium', 'easy', {
    wrong: 'A create is read as JSON whatever its Content-Type says.',
    breaks: [silent, 'The body is sent as `application/json`: another media type is 415.'],
    found: 'A create sent as `text/plain` is 201.',
    make: () =>
      request(({ method, target, headers }) => {
        if (method === 'POST' && target.path === '/v1/pets') headers['content-type'] = 'application/json'
      }),
  }),
  bug(18, 'text-after-the-body', kind, 'low', 'hard', {
    wrong: 'What follows the JSON object of a create is ignored.',
    breaks: [silent, 'The body is one JSON object; trailing text is 400.'],
    found: 'A create whose body ends in `}x` is 201.',
    make: () =>
      beforeInput('createPet', (exchange) => {
        const body = String(exchange.findings.body)
        const end = body.lastIndexOf('}') + 1
        if (body.startsWith('{') && end > 0 && end < body.length)
          exchange.findings.body = Buffer.from(body.slice(0, end))
      }),
  }),
]
