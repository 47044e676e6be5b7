import type { Passage, Request, ServiceMutation } from './service-mutation.ts'

type Where = string | RegExp

function isAt({ method, path }: { method: string; path: string }, where: Where): boolean {
  return typeof where === 'string' ? `${method} ${path}`.startsWith(where) : where.test(`${method} ${path}`)
}

/** Responses to such requests are changed. */
function responds(name: string, where: Where, change: (passage: Passage) => unknown, fails: string[]): ServiceMutation {
  return { name, fails, change: () => (passage) => isAt(passage, where) && change(passage) }
}

/** Such requests are answered with another status. */
function says(name: string, where: Where, from: number, to: number, fails: string[], body = '{}'): ServiceMutation {
  return responds(
    name,
    where,
    (passage) => passage.status === from && Object.assign(passage, { status: to, body }),
    fails,
  )
}

/** The text of such responses is replaced. */
function writes(name: string, where: Where, from: string | RegExp, to: string, fails: string[]): ServiceMutation {
  return responds(name, where, (passage) => (passage.body = passage.body.replaceAll(from, to)), fails)
}

/** Responses to such requests lack a header. */
function lacks(name: string, where: Where, header: string, fails: string[]): ServiceMutation {
  return responds(name, where, ({ headers }) => headers.delete(header), fails)
}

/** The service does not see a part of such requests: a header, or what matches in the path. */
function ignores(name: string, where: Where, part: string | RegExp, fails: string[]): ServiceMutation {
  const alter = (request: Request) =>
    typeof part === 'string' ? request.headers.delete(part) : (request.path = request.path.replace(part, ''))
  return { name, fails, alter: (request) => isAt(request, where) && alter(request) }
}

/** Changes what the service gets of such requests. */
function alters(name: string, where: Where, alter: (request: Request) => unknown, fails: string[]): ServiceMutation {
  return { name, fails, alter: (request) => isAt(request, where) && alter(request) }
}

const animal = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}'
const anyPet = /^\w+ \/pets\/-?\d/
const anyOrder = /^PATCH \/store\/orders\/\d/

/** Our service, wrong in one way each, in what it offers beyond the contract. */
export const fullMutations: readonly ServiceMutation[] = [
  writes('a change returns another name', 'PATCH /pets/', /"name":"[^"]*"/g, '"name":"Rex"', ['F-updates-1']),
  alters(
    'a change of the name is not stored',
    'PATCH /pets/',
    (request) => /^\{"name":"[^"]*"\}$/.test(request.body ?? '') && (request.body = '{}'),
    ['F-updates-2', 'F-etags-8'],
  ),
  responds(
    'a status is not removed',
    'PATCH /pets/',
    (passage) => passage.sent === '{"status":null}' && (passage.body = passage.body.replace('}', ',"status":"sold"}')),
    ['F-updates-3'],
  ),
  lacks('there is no Accept-Patch', 'PATCH', 'accept-patch', ['F-updates-4']),
  says('an invalid change is accepted', 'PATCH /pets/', 400, 200, ['F-updates-5']),
  says('an unknown animal can be removed', anyPet, 404, 204, ['R-4.3-1', 'F-updates-6', 'F-updates-7'], ''),
  {
    name: 'the id of a removed animal is used again',
    fails: ['F-updates-8'],
    change() {
      let removed: string | undefined
      return (passage) => {
        if (passage.method === 'DELETE' && passage.status === 204) removed = passage.path.split('/').at(-1)
        else if (passage.method === 'POST' && passage.path === '/pets' && removed !== undefined)
          passage.body = passage.body.replace(/"id":\d+/, `"id":${removed}`)
      }
    },
  },
  responds(
    'a 201 has an ETag of its own',
    'POST /pets',
    ({ path, headers }) => path === '/pets' && headers.has('etag') && headers.set('etag', '"own"'),
    ['F-etags-1', 'F-etags-4', 'F-etags-8'],
  ),
  says('nothing is 304', 'GET', 304, 200, ['F-etags-2']),
  writes('a 304 has a body', /^GET \/pets/, /^$/g, '[]', ['F-etags-2']),
  responds('the ETag of a list does not change', /^GET \/pets\?id=/, ({ headers }) => headers.set('etag', '"list"'), [
    'F-etags-2',
    'F-etags-3',
    'F-protocol-1',
  ]),
  responds(
    'only one tag may be in If-Match',
    'PATCH',
    (passage) => passage.asked.get('if-match')?.includes(',') && (passage.status = 412),
    ['F-etags-4'],
  ),
  ignores('If-Match is ignored when an animal is changed', 'PATCH /pets', 'if-match', [
    'F-etags-5',
    'F-etags-6',
    'F-etags-8',
  ]),
  alters(
    'If-Match compares weakly',
    'PATCH',
    ({ headers }) => headers.set('if-match', headers.get('if-match')?.replace('W/', '') ?? '*'),
    ['F-etags-6'],
  ),
  ignores('If-Match is ignored when an animal is removed', 'DELETE /pets', 'if-match', ['F-etags-7']),
  responds(
    'an update is lost',
    'PATCH /pets',
    (passage) => passage.status === 412 && passage.sent.includes('name') && (passage.status = 200),
    ['F-etags-8'],
  ),
  lacks('there is no Idempotent-Replayed', 'POST', 'idempotent-replayed', [
    'F-idempotency-1',
    'F-orders-14',
    'F-bulk-3',
  ]),
  alters(
    'an Idempotency-Key in quotes is another one',
    'POST /pets',
    ({ headers }) => headers.get('idempotency-key')?.startsWith('"verify') && headers.set('idempotency-key', '"other"'),
    ['F-idempotency-2'],
  ),
  says(
    'another body with the same Idempotency-Key is accepted',
    'POST',
    422,
    201,
    ['F-idempotency-3', 'F-bulk-3', 'F-files-4'],
    animal,
  ),
  {
    name: 'the Idempotency-Key of a refused request is remembered',
    fails: ['F-idempotency-4'],
    change() {
      const refused = new Set<string>()
      return (passage) => {
        const key = passage.asked.get('idempotency-key')
        if (key !== undefined && passage.status === 400) refused.add(key)
        else if (key !== undefined && refused.has(key)) passage.status = 422
      }
    },
  },
  alters(
    'an Idempotency-Key is cut',
    'POST /pets',
    ({ headers }) =>
      headers.has('idempotency-key') &&
      headers.set('idempotency-key', headers.get('idempotency-key')?.slice(0, 255) ?? ''),
    ['F-idempotency-5'],
  ),
  ignores('the Idempotency-Key of an animal is ignored', /^POST \/pets$/, 'idempotency-key', [
    'F-idempotency-1',
    'F-idempotency-2',
    'F-idempotency-3',
    'F-idempotency-5',
    'F-idempotency-6',
  ]),
  responds(
    'the last page has a link',
    /^GET \/pets\?limit=5/,
    ({ headers }) => headers.set('link', '</v1/pets?limit=5>; rel="next"'),
    ['F-paging-1'],
  ),
  responds(
    'a page after another lacks its first animal',
    /^GET \/pets\?.*cursor=/,
    (passage) => (passage.body = passage.body.replace(/\[\{[^}]*\},?/, '[')),
    ['R-4.1-9', 'F-paging-1', 'F-paging-2', 'F-paging-4', 'F-sort-1'],
  ),
  lacks('there is no Next-Cursor', 'GET /pets', 'next-cursor', ['F-paging-3', 'F-paging-4']),
  says(
    'a cursor may be used with another filter',
    /^GET \/pets\?.*status=sold&cursor=/,
    400,
    200,
    ['F-paging-4'],
    '[]',
  ),
  responds(
    'a count is one too high',
    'GET /pets',
    ({ headers }) => headers.has('x-total-count') && headers.set('x-total-count', '6'),
    ['F-paging-5'],
  ),
  ignores('a status is ignored beside a category', /^GET \/pets\?.*categoryId=/, /status=sold&/, ['F-filters-1']),
  ignores('without=status is ignored', 'GET /pets', /without=status&/, ['F-filters-2']),
  says('an unknown id is the first animal', /^GET \/pets\?id=-1/, 200, 200, ['F-filters-3'], `[${animal}]`),
  lacks('there is no Invalid-Fields', /^/, 'invalid-fields', ['F-filters-4', 'F-bulk-4', 'F-protocol-5']),
  ignores('lists are never strict', 'GET /pets', 'prefer', ['F-paging-5', 'F-filters-5']),
  ignores('creates are never strict', 'POST /pets', 'prefer', ['F-filters-6']),
  says('accents count in a search', /^GET \/pets\?.*%C3%8B/, 200, 200, ['F-search-1'], '[]'),
  ignores('one word of a search is enough', 'GET /pets', /%20tiger/, ['F-search-2']),
  says('a search without a word finds nothing', /^GET \/pets\?name=!!/, 400, 200, ['F-search-3'], '[]'),
  ignores('sort=-id is ignored', 'GET /pets', /sort=-id&/, ['F-sort-1']),
  alters(
    'sort=-name is sort=name',
    'GET /pets',
    (request) => (request.path = request.path.replace('sort=-name', 'sort=name')),
    ['F-sort-2'],
  ),
  says('an unknown sort is ignored', /^GET \/pets\?sort=status/, 400, 200, ['F-sort-3'], '[]'),
  lacks('an order has no Location', 'POST /store/orders', 'location', ['F-orders-1', 'F-events-2']),
  writes('an animal that is ordered stays available', /^GET \/pets\?id=/, '"pending"', '"available"', [
    'F-etags-5',
    'F-orders-2',
    'F-orders-8',
    'F-bulk-1',
    'F-bulk-2',
  ]),
  says(
    'an animal that is sold can be ordered',
    'POST /store/orders',
    409,
    201,
    ['F-orders-3', 'F-orders-4'],
    '{"id":1}',
  ),
  {
    name: 'an animal is sold twice in a race',
    fails: ['F-orders-4'],
    change() {
      const sold = new Set<string>()
      return (passage) => {
        if (!isAt(passage, 'POST /store/orders')) return
        if (passage.status === 201) sold.add(passage.sent)
        else if (sold.has(passage.sent)) passage.status = 201
      }
    },
  },
  alters(
    'a completed order stays open',
    anyOrder,
    (request) => request.body?.includes('completed') && (request.body = '{}'),
    ['F-orders-5', 'F-orders-7', 'F-events-2'],
  ),
  alters(
    'a cancelled order stays open',
    anyOrder,
    (request) => request.body === '{"status":"cancelled"}' && (request.body = '{}'),
    ['F-orders-6', 'F-orders-7'],
  ),
  says('a closed order can be closed again', anyOrder, 409, 200, ['F-orders-7']),
  says('the status of an ordered animal can be changed', 'PATCH /pets/', 409, 200, ['F-orders-8']),
  says('an ordered animal can be removed', 'DELETE /pets/', 409, 204, ['F-orders-9']),
  says('an unknown order is 200', 'GET /store/orders/', 404, 200, ['F-orders-10']),
  ignores('orders are not filtered by customer', 'GET /store/orders', /&customer=nobody/, ['F-orders-11']),
  ignores('orders are not filtered by the name of the animal', 'GET /store/orders', /&petName=nobody/, ['F-orders-11']),
  writes('a note is trimmed', anyOrder, '"  Saturday "', '"Saturday"', ['F-orders-12']),
  ignores('If-Match is ignored when an order is changed', anyOrder, 'if-match', ['F-orders-13']),
  ignores('the Idempotency-Key of an order is ignored', 'POST /store/orders', 'idempotency-key', ['F-orders-14']),
  writes('events have no names of animals', 'GET /events', /"name":"verify[^"]*",/g, '', ['F-events-1']),
  responds(
    'the history of an animal lacks its orders',
    /^GET \/events\?.*petId=/,
    (passage) => (passage.body = without(passage.body, 'petstore.order')),
    ['F-events-2'],
  ),
  {
    name: 'events tell the customer',
    fails: ['F-events-2'],
    change() {
      let customer = ''
      return (passage) => {
        customer = /"customer":"[^"]*"/.exec(passage.sent)?.[0] ?? customer
        if (isAt(passage, /^GET \/events\?.*orderId=/))
          passage.body = passage.body.replaceAll('"petId"', `${customer},"petId"`)
      }
    },
  },
  ignores('sort=-id of events is ignored', 'GET /events', /&sort=-id/, ['F-events-3']),
  lacks('there is no Event-Position', 'GET /events', 'event-position', [
    'F-events-1',
    'F-events-3',
    'F-events-4',
    'F-events-5',
    'F-events-6',
    'F-events-8',
    'F-events-9',
    'F-events-10',
    'F-events-12',
  ]),
  alters(
    'a position is before its event',
    /^GET \/events\?petId/,
    (request) => (request.path = request.path.replace(/after=(\d+)-/, (_, id: string) => `after=${Number(id) - 1}-`)),
    ['F-events-4'],
  ),
  says('a position of another history is accepted', /^GET \/events\?/, 410, 200, ['F-events-5'], '[]'),
  ignores('events are not filtered by type', 'GET /events', /type=petstore\.pet\.updated&?/, ['F-events-6']),
  ignores('events are not filtered by key', 'GET /events', /&keyid=[^&]*/, ['F-events-11']),
  ignores('events are not filtered by time', 'GET /events', /&(?:from|to)=[^&]*/, ['F-events-12']),
  writes('events do not name the request', 'GET /events', /"requestid":"[^"]*",/g, '', ['F-events-7']),
  writes('the ids of a stream are bare', 'GET /events', /^id: (\d+)-\w+$/gm, 'id: $1', ['F-events-8']),
  responds(
    'a stream is JSON',
    'GET /events',
    (passage) =>
      passage.asked.get('accept') === 'text/event-stream' && passage.headers.set('content-type', 'application/json'),
    ['F-events-8', 'F-events-9'],
  ),
  alters(
    'a stream repeats the last event',
    'GET /events',
    ({ headers }) =>
      headers.set(
        'last-event-id',
        (headers.get('last-event-id') ?? '').replace(/^\d+(?=-)(?!-(A{8}|Z{8})$)/, (id) => String(Number(id) - 1)),
      ),
    ['F-events-9'],
  ),
  says('a stream goes on from another history', /^GET \/events$/, 410, 200, ['F-events-10']),
  lacks('a category has no Location', 'POST /categories', 'location', ['F-categories-1']),
  says('a category without a name is found', 'GET /categories/', 404, 200, ['F-categories-2', 'F-categories-6']),
  says('categories are not found by name', 'GET /categories?name', 200, 200, ['F-categories-3'], '[]'),
  ignores('If-None-Match is ignored when a category is named', 'PUT /categories', 'if-none-match', ['F-categories-4']),
  ignores('If-Match is ignored when a category is renamed', 'PUT /categories', 'if-match', ['F-categories-5']),
  says('a category of an animal can be removed', 'DELETE /categories', 409, 204, ['F-categories-6']),
  responds(
    'the inventory does not add up',
    'GET /store/inventory',
    (passage) => (passage.body = passage.body.replace(/"total":(\d+)/, '"total":1$1')),
    ['F-inventory-1', 'F-inventory-2'],
  ),
  writes(
    'the inventory has others that it shows',
    /^GET \/store\/inventory\?limit=2/,
    /"others":\d+/g,
    '"others":1000',
    ['F-inventory-2'],
  ),
  writes('the inventory is late', /^GET \/store\/inventory\?limit=100/, '"sold":2', '"sold":1', ['F-inventory-3']),
  writes('a key is listed without its state', /^GET \/keys$/, /"state":"active",/g, '', ['F-keys-1', 'F-keys-9']),
  responds(
    'a read key may write',
    'POST /pets',
    (passage) => passage.status === 403 && Object.assign(passage, { status: 201, body: animal }),
    ['F-keys-2'],
  ),
  says('a write key may list keys', 'GET /keys', 403, 200, ['F-keys-3'], '[]'),
  {
    name: 'a revoked key still works',
    fails: ['F-keys-4'],
    change() {
      let isRevoked = false
      return (passage) => {
        if (passage.path.endsWith('/revoke')) isRevoked = true
        else if (isRevoked && passage.status === 401) passage.status = 200
      }
    },
  },
  writes('a key has another id', /^GET \/keys\/key_/, /"id":"[^"]*"/g, '"id":"key_1"', ['F-keys-8']),
  writes('a replaced key may do more', /rotate$/, '"permission":"read"', '"permission":"admin"', ['F-keys-5']),
  says('a key takes an Idempotency-Key', 'POST /keys', 400, 201, ['F-keys-6']),
  {
    name: 'an Idempotency-Key is shared between keys',
    fails: ['F-keys-7'],
    change() {
      const first = new Map<string, string>()
      return (passage) => {
        const key = passage.asked.get('idempotency-key')
        if (key === undefined || passage.status !== 201) return
        passage.body = first.get(key) ?? passage.body
        first.set(key, passage.body)
      }
    },
  },
  writes('a renamed key keeps its name in the list', /^GET \/keys$/, /"name":"verify-[^"]*"/g, '"name":"verify"', [
    'F-keys-9',
  ]),
  writes('an invitation is listed as ended', 'GET /invitations', '"state":"open"', '"state":"ended"', [
    'F-invitations-1',
  ]),
  says('a token can be used twice', 'POST /invitations/redeem', 401, 201, ['F-invitations-2', 'F-invitations-3']),
  writes('an invitation gives more than it says', 'POST /invitations/redeem', '"read"', '"write"', ['F-invitations-2']),
  says('a removed invitation is there', 'DELETE /invitations', 404, 204, ['F-invitations-3'], ''),
  {
    name: 'the secret of a webhook is shown again',
    fails: ['F-webhooks-1'],
    change() {
      let secret = ''
      return (passage) => {
        if (isAt(passage, 'POST /webhooks')) secret = /"secret":"[^"]*"/.exec(passage.body)?.[0] ?? secret
        else if (isAt(passage, /^GET \/webhooks\/\d/)) passage.body = passage.body.replace('{', `{${secret},`)
      }
    },
  },
  writes('a webhook cannot be turned off', 'GET /webhooks/', '"enabled":false', '"enabled":true', ['F-webhooks-2']),
  {
    name: 'a webhook keeps its secret',
    fails: ['F-webhooks-3'],
    change() {
      let secret: string | undefined
      return (passage) => {
        if (isAt(passage, 'POST /webhooks'))
          passage.body = passage.body.replace(/"secret":"[^"]*"/, (made) => (secret ??= made))
      }
    },
  },
  writes('a bulk change counts one too many', 'POST /pets/bulk', '"changed":2', '"changed":3', ['F-bulk-1']),
  alters(
    'a bulk change ignores the status of its filter',
    'POST /pets/bulk',
    (request) => (request.body = request.body?.replace(',"status":"available"}', '}')),
    ['F-bulk-1'],
  ),
  writes('a bulk change names no refused animal', 'POST /pets/bulk', /"refusals":\[.*\]/g, '"refusals":[]', [
    'F-bulk-2',
  ]),
  ignores('the Idempotency-Key of a bulk change is ignored', 'POST /pets/bulk', 'idempotency-key', ['F-bulk-3']),
  alters(
    'a bulk change ignores unknown members',
    'POST /pets/bulk',
    (request) => (request.body = request.body?.replace(',"statsu":"pending"', '')),
    ['F-bulk-4'],
  ),
  writes('the lines of a file count from 0', 'POST /pets/import', '"line":3', '"line":2', ['F-files-1']),
  writes('imported integers are rounded', /^GET \/pets\?.*name=/, '9007199254740993', '9007199254740992', [
    'F-files-2',
  ]),
  ignores('all-or-nothing is ignored', 'POST /pets/import', /\?mode=.*/, ['F-files-3']),
  ignores('the Idempotency-Key of an import is ignored', 'POST /pets/import', 'idempotency-key', ['F-files-4']),
  says('any file is imported', 'POST /pets/import', 415, 200, ['F-files-5']),
  writes('quotes in a CSV file are not doubled', 'GET /pets/export', '""', '"', ['F-files-6']),
  responds(
    'an export lacks its last animal',
    'GET /pets/export',
    (passage) => passage.path.includes('ndjson') && (passage.body = passage.body.replace(/.*\n$/, '')),
    ['F-files-7'],
  ),
  alters(
    'a category is not found by its name',
    'POST /pets/import',
    (request) => (request.body = request.body?.replace('categoryName', 'category')),
    ['F-files-8', 'F-files-9', 'F-files-10'],
  ),
  ignores('no category is made', 'POST /pets/import', /(?<=[?])create-categories=true/, ['F-files-9', 'F-files-10']),
  ignores('a dry run adds animals', 'POST /pets/import', /&dry-run=true/, ['F-files-10']),
  writes('a file has no byte order mark', 'GET /pets/export', '\ufeff', '', ['F-files-11']),
  ignores('a file has commas only', 'GET /pets/export', /&separator=\w+/, ['F-files-12']),
  lacks('HEAD has no Content-Type', 'HEAD', 'content-type', ['F-protocol-1']),
  responds(
    'Allow lacks OPTIONS',
    'OPTIONS',
    ({ headers }) => headers.set('allow', (headers.get('allow') ?? '').replace('OPTIONS, ', '')),
    ['F-protocol-2'],
  ),
  lacks('there is no Vary', /^GET \/pets\?categoryId=/, 'vary', ['F-protocol-3']),
  responds(
    'the X-Request-Id of the client is not used',
    /^GET \/(?:nothing|pets\?limit=1)$/,
    ({ headers }) => headers.set('x-request-id', 'r1'),
    ['F-protocol-4'],
  ),
  says('a broken escape is an unknown path', /%zz/, 400, 404, ['F-protocol-6']),
  lacks('the type of a response may be guessed', /^GET \/pets\?limit=1$/, 'x-content-type-options', ['F-protocol-7']),
  lacks('a list may be cached by anybody', /^GET \/pets\?limit=1$/, 'cache-control', ['F-protocol-7']),
  lacks('there is no Stability', 'GET /store/inventory', 'stability', ['F-protocol-8']),
  responds('RateLimit has no number', /^GET \/pets\?limit=1$/, ({ headers }) => headers.set('ratelimit', 'some'), [
    'F-protocol-9',
  ]),
  writes('the document has no events', /openapi\.json/, '"/events"', '"/happenings"', ['F-document-1']),
  writes('the document has another end of getPet', /openapi\.json/, '2030-12-05', '2031-12-05', ['F-document-2']),
]

/** A list of events without those of a kind. */
function without(body: string, kind: string): string {
  const events = JSON.parse(body) as { type: string }[]
  return JSON.stringify(events.filter(({ type }) => !type.startsWith(kind)))
}
