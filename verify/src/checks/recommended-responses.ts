import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, headerOf, jsonOf, type ShopRequest } from '../shop/exchange.ts'
import { expectStatus, fail } from '../shop/expect.ts'
import { isObject, member } from '../shop/json.ts'
import { expectKeyFirst, otherPetIds } from './key-first.ts'
import { isBeforeRemoval, skipAfterRemoval, unknownId } from './removal.ts'

/** Requests that are refused, and the code of each. */
const refusals: Record<string, ShopRequest> = {
  unauthorized: { method: 'GET', path: '/pets', authorization: null },
  not_found: { method: 'GET', path: '/nothing' },
  invalid_parameter: { method: 'GET', path: '/pets?limit=0' },
  invalid_body: { method: 'POST', path: '/pets', body: '[]' },
  // A method that changes nothing, wherever it is known.
  method_not_allowed: { method: 'PROPFIND', path: '/pets' },
}

async function refused({ shop }: Subject): Promise<[code: string, exchange: Exchange][]> {
  const found: [string, Exchange][] = []
  for (const [code, request] of Object.entries(refusals)) {
    const exchange = await shop.send(request)
    if (exchange.response === undefined || exchange.response.status < 400) fail(exchange, 'a refusal')
    found.push([code, exchange])
  }
  return found
}

const header = ({ response }: Exchange, name: string) => (response === undefined ? undefined : headerOf(response, name))

/** What we answer where the contract is silent about responses, keys, paths and methods. */
export const responseChecks: readonly Check[] = [
  reads('R-4.3-1', {
    name: 'what is not the canonical decimal of an id is 404',
    sentence: 'A path that is not the canonical decimal of a stored id is 404.',
    async run(subject) {
      skipAfterRemoval(subject)
      const { id } = await subject.stock.anyPet()
      for (const path of ['0', '-1', 'abc', `00${id}`, `${id}.0`, '9223372036854775808'])
        expectStatus(await subject.shop.get(path), 404)
    },
  }),
  reads('R-4.3-2', {
    name: 'getPet says that it is deprecated and when it ends, in errors too',
    sentence: 'Every response, errors too, has `Deprecation`, `Sunset` and `Link`.',
    async run(subject) {
      skipAfterRemoval(subject)
      const { id } = await subject.stock.anyPet()
      for (const path of [String(id), unknownId]) {
        const got = await subject.shop.get(path)
        if (!/^@\d+$/.test(header(got, 'deprecation') ?? '')) fail(got, 'the header Deprecation', 'none')
        const sunset = header(got, 'sunset')
        if (sunset !== 'Thu, 05 Dec 2030 00:00:00 GMT')
          fail(got, 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT', sunset ?? 'none')
      }
    },
  }),
  reads('R-5-1', {
    name: 'the word Bearer may be in any case and followed by several spaces',
    sentence: 'The scheme is case-insensitive and is followed by one or more spaces.',
    async run({ shop }) {
      for (const scheme of ['bearer ', 'BEARER   '])
        expectStatus(
          await shop.send({ method: 'GET', path: '/pets', authorization: `${scheme}${shop.options.key}` }),
          200,
        )
    },
  }),
  reads('R-5-2', {
    name: 'a 401 asks for a bearer token',
    sentence: 'The response has `WWW-Authenticate: Bearer`, with `error="invalid_token"` if a credential was sent.',
    async run({ shop }) {
      const missing = await shop.send({ method: 'GET', path: '/pets', authorization: null })
      if (!/^Bearer\b/i.test(header(missing, 'www-authenticate') ?? '')) fail(missing, 'WWW-Authenticate: Bearer')
      const wrong = await shop.send({ method: 'GET', path: '/pets', authorization: `Bearer no-such-key-${shop.mark}` })
      if (header(wrong, 'www-authenticate')?.includes('error="invalid_token"') !== true)
        fail(wrong, 'error="invalid_token" in WWW-Authenticate')
    },
  }),
  reads('R-5-3', {
    name: 'unknown paths and wrong methods are 401 without a key',
    sentence: 'Everything under `/v1` requires the key first, also unknown paths and wrong methods.',
    async run({ shop }) {
      expectStatus(await shop.send({ method: 'GET', path: '/nothing', authorization: null }), 401)
      expectStatus(await shop.send({ method: 'PROPFIND', path: '/pets', authorization: null }), 401)
    },
  }),
  reads('R-5-4', {
    name: 'without the key, the address of an animal is 401, whatever its id looks like',
    sentence: 'Everything under `/v1` requires the key first, also unknown paths and wrong methods.',
    isDue: isBeforeRemoval,
    async run(subject) {
      skipAfterRemoval(subject)
      const paths = otherPetIds((await subject.stock.aPet()).id).map((id) => `/pets/${id}`)
      await expectKeyFirst(
        subject,
        paths.map((path) => ({ method: 'GET', path })),
      )
    },
  }),
  writes('R-7-1', {
    name: 'an Error has exactly code, message and status',
    sentence: 'Every response from 400 up, from every layer, has exactly `code`, `message` and `status`.',
    async run(subject) {
      for (const [, exchange] of await refused(subject)) {
        const body = exchange.response && jsonOf(exchange.response)
        const members = isObject(body) ? Object.keys(body).toSorted().join(', ') : 'no object'
        if (members !== 'code, message, status') fail(exchange, 'exactly code, message and status', members)
      }
    },
  }),
  writes('R-7-2', {
    name: 'the codes are unauthorized, not_found, invalid_parameter, invalid_body and method_not_allowed',
    sentence: 'The codes are a closed set.',
    async run(subject) {
      for (const [code, exchange] of await refused(subject))
        if (exchange.response && member(jsonOf(exchange.response), 'code') !== code) fail(exchange, `the code ${code}`)
    },
  }),
  writes('R-7-3', {
    name: 'errors are not cacheable',
    sentence: 'Errors are not cacheable.',
    async run(subject) {
      for (const [, exchange] of await refused(subject))
        if (header(exchange, 'cache-control')?.includes('no-store') !== true) fail(exchange, 'Cache-Control: no-store')
    },
  }),
  reads('R-7-4', {
    name: 'an unknown path, a trailing slash and another case are 404',
    sentence: 'A trailing slash or another case is another path: 404.',
    async run({ shop }) {
      for (const path of ['/nothing', '/pets/', '/Pets']) expectStatus(await shop.send({ method: 'GET', path }), 404)
    },
  }),
  reads('R-7-5', {
    name: 'a wrong method is 405 with Allow',
    sentence: 'A wrong method on a known path is 405 with `Allow`.',
    async run({ shop }) {
      const wrong = await shop.send({ method: 'PROPFIND', path: '/pets' })
      expectStatus(wrong, 405)
      const allow = header(wrong, 'allow') ?? ''
      if (!/\bGET\b/.test(allow) || !/\bPOST\b/.test(allow)) fail(wrong, 'an Allow with GET and POST', allow)
    },
  }),
]
