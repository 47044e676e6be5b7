import { headerOf, makeKey, pet, type Proof, type ProofShop, status, statusOf, statusWith, textOf } from './proof.ts'

const added = (members: object) => textOf('POST /pets', pet(members))
const json = { 'content-type': 'application/json' }
const withBody = (body: string) => textOf('POST /pets', body, json)
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

/** The status of a create with a key of this permission. */
async function createdWith(shop: ProofShop, permission: string): Promise<number> {
  const { key } = await makeKey(shop, { permission })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return statusWith(shop, '/pets', { method: 'POST', headers, body: JSON.stringify(pet()) })
}

/** The types of values, and keys. */
export const valueProofs: Record<string, Proof> = {
  'int64-rounded': {
    run: withBody('{"name":"Rex","categoryId":9007199254740993}'),
    right: '{"id":11,"name":"Rex","categoryId":9007199254740993}',
    wrong: '{"id":11,"name":"Rex","categoryId":9007199254740992}',
  },
  'absent-status-is-null': {
    run: textOf('/pets/9'),
    right: '{"id":9,"name":"Coco","categoryId":4}',
    wrong: '{"id":9,"name":"Coco","categoryId":4,"status":null}',
  },
  'status-set-by-default': {
    run: added({ status: undefined }),
    right: '{"id":11,"name":"Rex","categoryId":1}',
    wrong: '{"id":11,"name":"Rex","categoryId":1,"status":"available"}',
  },
  'ids-are-strings': {
    run: textOf('/pets?id=9'),
    right: '[{"id":9,"name":"Coco","categoryId":4}]',
    wrong: '[{"id":"9","name":"Coco","categoryId":4}]',
  },
  'time-without-zone': {
    run: async (shop) => /"placedAt":"([^"]*)"/.exec(await textOf('/store/orders/2')(shop))?.[1],
    right: '2026-01-06T09:00:00.000Z',
    wrong: '2026-01-06T09:00:00.000',
  },
  'leap-second': {
    run: async (shop) => /"placedAt":"([^"]*)"/.exec(await textOf('/store/orders/2')(shop))?.[1],
    right: '2026-01-06T09:00:00.000Z',
    wrong: '2026-01-06T08:59:60.000Z',
  },
  'names-normalized': {
    run: async (shop) => ((await shop.send('POST /pets', pet({ name: 'Pe\u0301pe' }))).body as { name: string }).name,
    right: 'Pe\u0301pe',
    wrong: 'P\u00e9pe',
  },
  'emoji-lost': {
    run: async (shop) => ((await shop.send('POST /pets', pet({ name: 'Rex 🐕' }))).body as { name: string }).name,
    right: 'Rex 🐕',
    wrong: 'Rex ?',
  },
  'category-0-left-out': {
    run: added({ categoryId: 0 }),
    right: '{"id":11,"name":"Rex","categoryId":0,"status":"sold"}',
    wrong: '{"id":11,"name":"Rex","status":"sold"}',
  },
  'members-echoed': {
    run: added({ colour: 'red' }),
    right: '{"id":11,"name":"Rex","categoryId":1,"status":"sold"}',
    wrong: '{"id":11,"name":"Rex","categoryId":1,"status":"sold","colour":"red"}',
  },

  'lists-need-no-key': { run: (shop) => statusWith(shop, '/pets', {}), right: 401, wrong: 200 },
  'any-key-opens-an-animal': { run: (shop) => statusWith(shop, '/pets/1', bearer('made-up')), right: 401, wrong: 200 },
  'any-scheme': {
    run: (shop) => statusWith(shop, '/pets', { headers: { authorization: `Basic ${shop.key}` } }),
    right: 401,
    wrong: 200,
  },
  'key-in-the-address': { run: (shop) => statusWith(shop, `/pets?key=${shop.key}`, {}), right: 401, wrong: 200 },
  'not-found-before-key': { run: (shop) => statusWith(shop, '/nothing', {}), right: 401, wrong: 404 },
  'validation-before-key': { run: (shop) => statusWith(shop, '/pets?limit=0', {}), right: 401, wrong: 400 },
  'revoked-key-works-a-minute': {
    async run(shop) {
      const { id, key } = await makeKey(shop, {})
      await shop.send(`POST /keys/${id}/revoke`)
      const atOnce = await statusWith(shop, '/pets', bearer(key))
      await shop.send('PUT /sandbox/clock', { advance: 'PT1M' })
      return [atOnce, await statusWith(shop, '/pets', bearer(key))]
    },
    right: [401, 401],
    wrong: [200, 401],
  },
  'revoked-key-shown-active': {
    async run(shop) {
      const { id } = await makeKey(shop, {})
      await shop.send(`POST /keys/${id}/revoke`)
      return ((await shop.send(`/keys/${id}`)).body as { state: string }).state
    },
    right: 'revoked',
    wrong: 'active',
  },
  'expired-key-works': {
    async run(shop) {
      const { key } = await makeKey(shop, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
      await shop.send('PUT /sandbox/clock', { advance: 'PT2H' })
      return statusWith(shop, '/pets', bearer(key))
    },
    right: 401,
    wrong: 200,
  },
  'read-key-writes': { run: (shop) => createdWith(shop, 'read'), right: 403, wrong: 201 },
  'bearer-in-one-case': {
    run: (shop) => statusWith(shop, '/pets', { headers: { authorization: `bearer ${shop.key}` } }),
    right: 200,
    wrong: 401,
  },
  'no-challenge': {
    async run({ origin }) {
      const response = await fetch(`${origin}/v1/pets`)
      await response.text()
      return response.headers.get('www-authenticate')
    },
    right: 'Bearer realm="petstore"',
    wrong: null,
  },
  'forbidden-is-401': { run: (shop) => createdWith(shop, 'read'), right: 403, wrong: 401 },

  'error-status-differs': {
    run: async (shop) => ((await shop.send('/pets?limit=0')).body as { status: number }).status,
    right: 400,
    wrong: 422,
  },
  'unknown-animal-is-null': {
    run: async (shop) => ({ status: await statusOf(shop, '/pets/99') }),
    right: { status: 404 },
    wrong: { status: 200 },
  },
  'html-for-unknown-paths': {
    run: headerOf('content-type', '/nothing'),
    right: 'application/json',
    wrong: 'text/html',
  },
  'error-with-a-trace': {
    run: async (shop) => Object.keys((await shop.send('/nothing')).body as object),
    right: ['code', 'message', 'status'],
    wrong: ['code', 'message', 'status', 'trace'],
  },
  'codes-in-capitals': {
    run: async (shop) => ((await shop.send('/nothing')).body as { code: string }).code,
    right: 'not_found',
    wrong: 'NOT_FOUND',
  },
  'wrong-method-is-404': { run: status('PUT /pets', {}), right: 405, wrong: 404 },
  'smallest-category-fails': {
    run: async (shop) =>
      statusOf(shop, 'POST /pets', '{"name":"Rex","categoryId":-9223372036854775808}', {
        'content-type': 'application/json',
      }),
    right: 201,
    wrong: 500,
  },
  'message-shows-sql': {
    run: async (shop) => (await textOf('/pets/99')(shop)).includes('SELECT'),
    right: false,
    wrong: true,
  },
  'refusals-are-text': {
    run: headerOf('content-type', '/pets?limit=0'),
    right: 'application/json',
    wrong: 'text/plain',
  },
  'taken-animal-is-400': { run: status('POST /store/orders', { petId: 2 }), right: 409, wrong: 400 },
}
