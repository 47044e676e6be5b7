/** A request to the service and its response, to be changed. */
export interface Passage {
  method: string
  /** With the query, below /v1. */
  path: string
  authorization: string
  sent: string
  status: number
  headers: Map<string, string>
  body: string
}

export interface ServiceMutation {
  name: string
  change: (passage: Passage) => void
  /** Exactly the recommended checks that fail. */
  fails: readonly string[]
}

function respond(passage: Passage, status: number, body: string): void {
  passage.status = status
  passage.body = body
}

/** Lists with such a query are 200 with no animal. */
function listsAnyway(name: string, query: RegExp, fails: readonly string[]): ServiceMutation {
  return { name, fails, change: (passage) => query.test(passage.path) && respond(passage, 200, '[]') }
}

/** Creates with such a body are 201. */
function creates(name: string, body: RegExp, fails: readonly string[]): ServiceMutation {
  return {
    name,
    fails,
    change: (passage) =>
      passage.method === 'POST' &&
      body.test(passage.sent) &&
      passage.status >= 400 &&
      passage.authorization !== '' &&
      respond(passage, 201, '{"id":1,"name":"Rex","categoryId":1}'),
  }
}

/** The body of a 201 is changed. */
function returns(name: string, change: (body: string) => string, fails: readonly string[]): ServiceMutation {
  return { name, fails, change: (passage) => passage.status === 201 && (passage.body = change(passage.body)) }
}

/** Responses lack a header. */
function lacks(name: string, header: string, fails: readonly string[]): ServiceMutation {
  return { name: `there is no ${name}`, fails, change: ({ headers }) => headers.delete(header) }
}

const unauthorized = '{"code":"unauthorized","message":"No.","status":401}'
const notFound = '{"code":"not_found","message":"No.","status":404}'

/** Our service, wrong in one way each. */
export const serviceMutations: readonly ServiceMutation[] = [
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
    change: (passage) => /\?verify/.test(passage.path) && respond(passage, 400, '{}'),
  },
  {
    name: 'lists descend',
    fails: ['R-4.1-8'],
    change(passage) {
      if (passage.path.endsWith('?limit=100'))
        passage.body = JSON.stringify((JSON.parse(passage.body) as unknown[]).toReversed())
    },
  },
  lacks('Link', 'link', ['R-4.1-9']),
  {
    name: 'every page is the first one',
    fails: ['R-4.1-9'],
    change(passage) {
      if (passage.headers.has('link')) passage.headers.set('link', '<http://shop.example/v1/pets?limit=1>; rel="next"')
    },
  },
  creates('text after the body is ignored', /\}x$/, ['R-4.2-1']),
  creates('an empty name is accepted', /"name":""/, ['R-4.2-4']),
  {
    name: 'any media type is JSON',
    fails: ['R-4.2-2'],
    change: (passage) => passage.status === 415 && respond(passage, 201, '{"id":1,"name":"Rex","categoryId":1}'),
  },
  {
    name: 'a large body is 400',
    fails: ['R-4.2-3'],
    change: (passage) => passage.status === 413 && respond(passage, 400, '{}'),
  },
  returns('names are trimmed', (body) => body.replace('"name":"  ', '"name":"'), ['R-4.2-5']),
  returns('1e3 is 1', (body) => body.replace('"categoryId":1000', '"categoryId":1'), ['R-4.2-6']),
  returns(
    'animals are available by default',
    (body) => (body.includes('"status"') ? body : body.replace('}', ',"status":"available"}')),
    ['R-4.2-7'],
  ),
  returns('other members are echoed', (body) => body.replace('}', ',"colour":"red"}'), ['R-4.2-8']),
  lacks('Location', 'location', ['R-4.2-9']),
  {
    name: 'an id may have leading zeros',
    fails: ['R-4.3-1'],
    change: (passage) => /pets\/00/.test(passage.path) && respond(passage, 200, '{}'),
  },
  lacks('Deprecation', 'deprecation', ['R-4.3-2']),
  lacks('Sunset', 'sunset', ['R-4.3-2']),
  {
    name: 'the word bearer is compared with its case',
    fails: ['R-5-1'],
    change: (passage) => /^(?:bearer|BEARER)/.test(passage.authorization) && respond(passage, 401, unauthorized),
  },
  lacks('WWW-Authenticate', 'www-authenticate', ['R-5-2']),
  {
    name: 'an unknown path is 404 before 401',
    fails: ['R-5-3'],
    change: (passage) => passage.path === '/nothing' && respond(passage, 404, notFound),
  },
  {
    name: 'errors have a trace',
    fails: ['R-7-1'],
    change: (passage) => passage.status >= 400 && (passage.body = passage.body.replace('{', '{"trace":"x",')),
  },
  {
    name: 'codes are in capitals',
    fails: ['R-7-2'],
    change: (passage) =>
      passage.status >= 400 &&
      (passage.body = passage.body.replace(/"code":"\w+"/, (code) => code.toUpperCase().replace('CODE', 'code'))),
  },
  lacks('Cache-Control', 'cache-control', ['R-7-3']),
  {
    name: 'a trailing slash does not matter',
    fails: ['R-7-4'],
    change: (passage) => passage.path === '/pets/' && respond(passage, 200, '[]'),
  },
  lacks('Allow', 'allow', ['R-7-5']),
]
