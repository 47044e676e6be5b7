import { headerOf, pet, type Proof, type ProofShop, statusOf, statusWith } from './proof.ts'

const rename = (shop: ProofShop, headers: Record<string, string> = {}) =>
  shop.send('PATCH /pets/1', { name: 'Max' }, headers)
const tagOf = async (shop: ProofShop, path: string) => (await headerOf('etag', path)(shop)) as string
const conditional = async (shop: ProofShop, path: string, etag: string) =>
  statusOf(shop, path, undefined, { 'if-none-match': etag })

/** The status with which a change is refused or made. */
const changedWith = (start: string, body: unknown, header: (shop: ProofShop) => Promise<Record<string, string>>) =>
  async function run(shop: ProofShop) {
    return statusOf(shop, start, body, await header(shop))
  }
const stale = async () => ({ 'if-match': '"stale"' })

/** Bytes of two requests on one connection. */
const twoRequests = ({ key }: ProofShop, first: string) =>
  [first, 'Connection: close\r\n']
    .map((header) => `GET /v1/pets/6 HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${key}\r\n${header}\r\n`)
    .join('')

/** Caches, preconditions, headers and bytes. */
export const responseProofs: Record<string, Proof> = {
  'etag-never-changes': {
    async run(shop) {
      const etag = await tagOf(shop, '/pets/1')
      await rename(shop)
      return conditional(shop, '/pets/1', etag)
    },
    right: 200,
    wrong: 304,
  },
  'weak-tags-match': {
    run: changedWith('PATCH /pets/1', {}, async (shop) => ({ 'if-match': `W/${await tagOf(shop, '/pets/1')}` })),
    right: 412,
    wrong: 200,
  },
  'not-modified-with-body': {
    async run(shop) {
      const bytes = await shop.raw(twoRequests(shop, `If-None-Match: ${await tagOf(shop, '/pets/6')}\r\n`))
      return /\r\n\r\n(.{7})/s.exec(bytes)?.[1]
    },
    right: 'HTTP/1.',
    wrong: '{"id":6',
  },
  'never-304': {
    run: async (shop) => conditional(shop, '/pets/1', await tagOf(shop, '/pets/1')),
    right: 304,
    wrong: 200,
  },
  'list-etag-of-ids': {
    async run(shop) {
      const etag = await tagOf(shop, '/pets')
      await rename(shop)
      return conditional(shop, '/pets', etag)
    },
    right: 200,
    wrong: 304,
  },
  'stale-animal': {
    async run(shop) {
      const name = async () => ((await shop.send('/pets/1')).body as { name: string }).name
      await name()
      await rename(shop)
      const atOnce = await name()
      await shop.send('PUT /sandbox/clock', { advance: 'PT1M' })
      return [atOnce, await name()]
    },
    right: ['Max', 'Max'],
    wrong: ['Rex', 'Max'],
  },
  'cached-for-everybody': {
    run: headerOf('cache-control', '/pets'),
    right: 'private, no-cache',
    wrong: 'public, max-age=60',
  },
  'errors-may-be-stored': { run: headerOf('cache-control', '/nothing'), right: 'no-store', wrong: null },

  'if-match-ignored': { run: changedWith('PATCH /pets/1', {}, stale), right: 412, wrong: 200 },
  'delete-ignores-if-match': { run: changedWith('DELETE /pets/1', undefined, stale), right: 412, wrong: 204 },
  'put-overwrites': {
    run: changedWith('PUT /categories/1', { name: 'Wolves' }, async () => ({ 'if-none-match': '*' })),
    right: 412,
    wrong: 200,
  },

  'wrong-charset': {
    run: headerOf('content-type', '/pets'),
    right: 'application/json',
    wrong: 'application/json; charset=iso-8859-1',
  },
  'location-of-the-next': {
    run: async (shop) => (await headerOf('location', 'POST /pets', pet())(shop))?.replace(/.*\/v1/, ''),
    right: '/pets/11',
    wrong: '/pets/12',
  },
  'request-id-not-returned': {
    run: headerOf('x-request-id', '/pets', undefined, { 'x-request-id': 'abc' }),
    right: 'abc',
    wrong: 'request-1',
  },
  'deprecation-not-on-errors': { run: headerOf('deprecation', '/pets/99'), right: '@1794614400', wrong: null },
  'sunset-a-year-late': {
    run: headerOf('sunset', '/pets/1'),
    right: 'Thu, 05 Dec 2030 00:00:00 GMT',
    wrong: 'Fri, 05 Dec 2031 00:00:00 GMT',
  },
  'no-allow': { run: headerOf('allow', 'PUT /pets', {}), right: 'GET, HEAD, OPTIONS, POST', wrong: null },
  'animal-is-text-json': { run: headerOf('content-type', '/pets/1'), right: 'application/json', wrong: 'text/json' },

  'cut-at-64-kib': {
    async run(shop) {
      for (let count = 0; count < 2; count++) await shop.send('POST /pets', pet({ name: 'x'.repeat(40_000) }))
      const headers = { authorization: `Bearer ${shop.key}` }
      return (await (await fetch(`${shop.origin}/v1/pets?sort=-id&limit=2`, { headers })).text()).length
    },
    right: 80_103,
    wrong: 65_536,
  },
  'no-head': {
    run: (shop) => statusWith(shop, '/pets', { method: 'HEAD', headers: { authorization: `Bearer ${shop.key}` } }),
    right: 200,
    wrong: 405,
  },
  'length-in-characters': {
    async run(shop) {
      const bytes = Buffer.from(await shop.raw(twoRequests(shop, '')), 'latin1').toString()
      const [, length, body] = /content-length: (\d+)[^{]*(\{.*?\})/is.exec(bytes) ?? []
      return Number(length) - Buffer.byteLength(body ?? '')
    },
    right: 0,
    wrong: -4,
  },
  'escapes-not-decoded': { run: (shop) => statusOf(shop, '/pets/%31'), right: 200, wrong: 404 },
  'getpet-survives-2030': {
    async run(shop) {
      await shop.send('PUT /sandbox/clock', { now: '2030-12-05T00:00:00Z' })
      return statusOf(shop, '/pets/1')
    },
    right: 410,
    wrong: 200,
  },
}
