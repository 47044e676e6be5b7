import type { Passage, ServiceMutation } from './service-mutation.ts'

function respond(passage: Passage, status: number, body: string): void {
  passage.status = status
  passage.body = body
}

/** Lists with such a query are 200 with no animal. */
function listsAnyway(name: string, query: RegExp, fails: readonly string[]): ServiceMutation {
  return { name, fails, change: () => (passage) => query.test(passage.path) && respond(passage, 200, '[]') }
}

/** Creates with such a body are 201. */
function creates(name: string, body: RegExp, fails: readonly string[]): ServiceMutation {
  return {
    name,
    fails,
    change: () => (passage) =>
      passage.method === 'POST' &&
      body.test(passage.sent) &&
      passage.status >= 400 &&
      passage.authorization !== '' &&
      respond(passage, 201, '{"id":1,"name":"Rex","categoryId":1}'),
  }
}

/** The body of a 201 is changed. */
function returns(
  name: string,
  change: (body: string, sent: string) => string,
  fails: readonly string[],
): ServiceMutation {
  return {
    name,
    fails,
    change: () => (passage) =>
      passage.status === 201 && passage.path === '/pets' && (passage.body = change(passage.body, passage.sent)),
  }
}

/** Responses lack a header. */
function lacks(name: string, header: string, fails: readonly string[]): ServiceMutation {
  return {
    name: `there is no ${name}`,
    fails,
    change:
      () =>
      ({ headers }) =>
        headers.delete(header),
  }
}

const unauthorized = '{"code":"unauthorized","message":"No.","status":401}'
const notFound = '{"code":"not_found","message":"No.","status":404}'

/** Our service, wrong in one way each. */
export const recommendedMutations: readonly ServiceMutation[] = [
  creates('a status that is null is taken for none', /"status":null/, ['R-4.2-10']),
  {
    name: 'without the key, a path with a word in the place of an id is 404',
    fails: ['R-5-4'],
    change: () => (passage) =>
      /^\/pets\/[a-z]/.test(passage.path) &&
      passage.authorization === '' &&
      respond(passage, 404, '{"code":"not_found","message":"No.","status":404}'),
  },
  listsAnyway('limit=-1 is accepted', /limit=-1/, ['R-4.1-1']),
  listsAnyway('a limit may have leading zeros', /limit=007/, ['R-4.1-2']),
  listsAnyway('limit=101 is accepted', /limit=101/, ['R-4.1-3']),
  listsAnyway('a limit may be given twice', /limit=5&limit/, ['R-4.1-4']),
  listsAnyway('a status may be in capitals', /status=SOLD/, ['R-4.1-5']),
  listsAnyway('a status may be given twice', /status=sold&status/, ['R-4.1-6']),
  listsAnyway('a damaged cursor is the first page', /cursor=damaged/, ['R-4.1-10']),
  {
    name: 'unknown parameters are refused',
    fails: ['R-4.1-7'],
    change: () => (passage) => /\?verify/.test(passage.path) && respond(passage, 400, '{}'),
  },
  {
    name: 'lists descend',
    fails: ['R-4.1-8'],
    change: () => (passage) => {
      if (passage.path === '/pets?limit=100')
        passage.body = JSON.stringify((JSON.parse(passage.body) as unknown[]).toReversed())
    },
  },
  lacks('Link', 'link', ['R-4.1-9', 'F-paging-1', 'F-paging-2', 'F-paging-3', 'F-sort-1']),
  {
    name: 'every page is the first one',
    fails: ['R-4.1-9', 'F-paging-1', 'F-paging-2', 'F-paging-3', 'F-sort-1'],
    change: () => (passage) => {
      if (passage.headers.has('link')) passage.headers.set('link', '<http://shop.example/v1/pets?limit=1>; rel="next"')
    },
  },
  creates('text after the body is ignored', /\}x$/, ['R-4.2-1']),
  creates('an empty name is accepted', /"name":""/, ['R-4.2-4', 'F-protocol-5']),
  {
    name: 'any media type is JSON',
    fails: ['R-4.2-2', 'F-updates-4', 'F-files-5'],
    change: () => (passage) => passage.status === 415 && respond(passage, 201, '{"id":1,"name":"Rex","categoryId":1}'),
  },
  {
    name: 'a large body is 400',
    fails: ['R-4.2-3'],
    change: () => (passage) => passage.status === 413 && respond(passage, 400, '{}'),
  },
  returns('names are trimmed', (body) => body.replace('"name":"  ', '"name":"'), ['R-4.2-5']),
  returns('1e3 is 1', (body) => body.replace('"categoryId":1000', '"categoryId":1'), ['R-4.2-6']),
  returns(
    'animals are available by default',
    (body, sent) => (sent.includes('"status"') ? body : body.replace('}', ',"status":"available"}')),
    ['R-4.2-7'],
  ),
  returns(
    'other members are echoed',
    (body, sent) => (sent.includes('colour') ? body.replace('}', ',"colour":"red"}') : body),
    ['R-4.2-8'],
  ),
  {
    name: 'an animal has no Location',
    fails: ['R-4.2-9', 'F-events-7'],
    change: () => (passage) => passage.path === '/pets' && passage.headers.delete('location'),
  },
  {
    name: 'an id may have leading zeros',
    fails: ['R-4.3-1', 'R-5-4'],
    change: () => (passage) => /pets\/00/.test(passage.path) && respond(passage, 200, '{}'),
  },
  lacks('Deprecation', 'deprecation', ['R-4.3-2']),
  lacks('Sunset', 'sunset', ['R-4.3-2']),
  {
    name: 'the word bearer is compared with its case',
    fails: ['R-5-1'],
    change: () => (passage) => /^(?:bearer|BEARER)/.test(passage.authorization) && respond(passage, 401, unauthorized),
  },
  lacks('WWW-Authenticate', 'www-authenticate', ['R-5-2']),
  {
    name: 'an unknown path is 404 before 401',
    fails: ['R-5-3'],
    change: () => (passage) => passage.path === '/nothing' && respond(passage, 404, notFound),
  },
  {
    name: 'errors have a trace',
    fails: ['R-7-1'],
    change: () => (passage) => passage.status >= 400 && (passage.body = passage.body.replace('{', '{"trace":"x",')),
  },
  {
    name: 'codes are in capitals',
    fails: [
      'R-7-2',
      'F-updates-4',
      'F-updates-5',
      'F-updates-6',
      'F-updates-7',
      'F-etags-5',
      'F-etags-6',
      'F-etags-7',
      'F-idempotency-3',
      'F-paging-4',
      'F-filters-2',
      'F-filters-4',
      'F-filters-5',
      'F-filters-6',
      'F-search-3',
      'F-sort-3',
      'F-orders-3',
      'F-orders-7',
      'F-orders-8',
      'F-orders-9',
      'F-orders-10',
      'F-orders-13',
      'F-events-5',
      'F-events-10',
      'F-events-12',
      'F-categories-2',
      'F-categories-4',
      'F-categories-5',
      'F-categories-6',
      'F-keys-2',
      'F-keys-3',
      'F-keys-4',
      'F-keys-6',
      'F-keys-8',
      'F-invitations-1',
      'F-invitations-2',
      'F-invitations-3',
      'F-webhooks-2',
      'F-bulk-3',
      'F-bulk-4',
      'F-files-4',
      'F-files-5',
      'F-protocol-5',
      'F-protocol-6',
    ],
    change: () => (passage) =>
      passage.status >= 400 &&
      (passage.body = passage.body.replace(/"code":"\w+"/, (code) => code.toUpperCase().replace('CODE', 'code'))),
  },
  {
    name: 'errors may be cached',
    fails: ['R-7-3'],
    change: () => (passage) => passage.status >= 400 && passage.headers.delete('cache-control'),
  },
  {
    name: 'a trailing slash does not matter',
    fails: ['R-7-4'],
    change: () => (passage) => passage.path === '/pets/' && respond(passage, 200, '[]'),
  },
  lacks('Allow', 'allow', ['R-7-5', 'F-protocol-2', 'F-document-1']),
]
