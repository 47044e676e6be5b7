import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import type { Bug } from '../../../src/sandbox/bugs/bug.ts'
import { bugNames, catalogue, findBug } from '../../../src/sandbox/bugs/catalogue.ts'
import { share } from '../../support/app.ts'
import { startSandbox } from '../../support/sandbox.ts'
import { bugsPage } from '../bugs-page.ts'
import { foundPage } from '../table.ts'
import { proofs } from '../proofs/all.ts'
import { prove } from '../proofs/prove.ts'
import { slowProofs } from '../proofs/slow.ts'

/** Each test has a shop of its own. */
const sharedSandbox = share((t) => startSandbox(t, { seed: 'demo' }))

test('every bug has a number and a name of its own, and a proof', () => {
  assert.deepEqual(
    catalogue.map(({ number }) => number),
    catalogue.map((_bug, index) => index + 1),
  )
  assert.equal(new Set(bugNames).size, catalogue.length)
  for (const name of bugNames) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)+$/)
  assert.deepEqual(Object.keys(proofs).toSorted(), bugNames.toSorted())
})

test('docs/bugs.md lists every bug as it is: npm run make -- bugs-page', () => {
  const { now, wanted } = bugsPage()

  assert.ok(now === wanted)
})

test('docs/bugs-found.md is what was found: npm run make -- bugs-table -- page', () => {
  const { now, wanted } = foundPage()

  assert.ok(now === wanted)
})

test('each bug makes a shop wrong as it says, and without it the shop is right', async () => {
  const sandbox = await sharedSandbox()

  for (const bug of catalogue) if (!(bug.name in slowProofs)) await prove(sandbox, bug)
  assert.deepEqual(sandbox.failures, [])
})

test('a shop with a bug codes its responses as the honest shop does', async () => {
  const { send, origin } = await sharedSandbox()
  await send('coding', 'POST /sandbox/reset', { seed: 'empty' })
  for (let count = 0; count < 25; count++)
    await send('coding', 'POST /pets', { name: 'Rex '.repeat(20), categoryId: 0 })
  for (let petId = 1; petId <= 10; petId++) {
    await send('coding', `PATCH /pets/${petId}`, { status: 'available' })
    await send('coding', 'POST /store/orders', { petId })
  }
  const requests = ['gzip', 'br', 'zstd'].flatMap((coding) => ['/pets', '/store/orders'].map((path) => [coding, path]))
  const codings = () =>
    Promise.all(
      requests.map(async ([coding = '', path]) => {
        const headers = { authorization: 'Bearer sandbox_coding', 'accept-encoding': coding }
        const response = await fetch(`${origin}/v1${path}`, { headers })
        return [path, response.headers.get('content-encoding'), (await response.text())[0]]
      }),
    )
  const honest = await codings()
  assert.deepEqual(
    honest,
    requests.map(([coding, path]) => [path, coding, '[']),
  )

  for (const { name } of catalogue) {
    await send('coding', 'PUT /sandbox/bugs', [name])
    assert.deepEqual([name, ...(await codings())], [name, ...honest])
  }
})

test('PUT /sandbox/bugs makes one shop wrong, keeps its animals, and an empty array makes it right', async () => {
  const { send } = await sharedSandbox()
  await send('keep', 'POST /pets', { name: 'Rex', categoryId: 1 })

  const put = await send('keep', 'PUT /sandbox/bugs', ['limit-101-accepted', 'limit-0-accepted', 'limit-0-accepted'])

  assert.deepEqual([put.status, put.body], [200, ['limit-101-accepted', 'limit-0-accepted']])
  assert.deepEqual((await send('keep', '/sandbox/bugs')).body, put.body)
  assert.deepEqual((await send('keep-2', '/sandbox/bugs')).body, [])
  const limits = ['/pets?limit=101', '/pets?limit=0']
  const statuses = async (shop: string) => Promise.all(limits.map(async (path) => (await send(shop, path)).status))
  assert.deepEqual(
    [await statuses('keep'), await statuses('keep-2')],
    [
      [200, 200],
      [400, 400],
    ],
  )
  assert.equal((await send('keep', '/pets/11')).status, 200)
  assert.deepEqual((await send('keep', 'PUT /sandbox/bugs', [])).body, [])
  assert.deepEqual(await statuses('keep'), [400, 400])
})

test('PUT /sandbox/bugs keeps animals whose creates had begun before it', async () => {
  const { origin, send } = await sharedSandbox()
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })

  // Bugs with and without triggers, and none.
  for (const bugs of [['id-used-again'], ['limit-0-accepted'], []]) {
    const headers = {
      authorization: 'Bearer sandbox_begun',
      'content-type': 'application/json',
      expect: '100-continue',
    }
    const create = request(`${origin}/v1/pets`, { method: 'POST', headers })
    create.flushHeaders()
    await once(create, 'continue')
    await send('begun', 'PUT /sandbox/bugs', bugs)
    create.end(body)
    const [response] = (await once(create, 'response')) as [IncomingMessage]
    response.resume()

    assert.equal(response.statusCode, 201)
    assert.equal((await send('begun', new URL(response.headers.location as string).pathname.slice(3))).status, 200)
  }
})

test('an unknown bug is 400, which names it, and changes nothing', async () => {
  const { send } = await sharedSandbox()
  await send('unknown', 'PUT /sandbox/bugs', ['limit-101-accepted'])

  const refused = await send('unknown', 'PUT /sandbox/bugs', ['limit-0-accepted', 'no-such-bug'])

  assert.equal(refused.status, 400)
  assert.match((refused.body as { message: string }).message, /There is no bug "no-such-bug"/)
  for (const body of [{}, 'null', '[1]', '[', '["__proto__"]']) {
    const type = { 'content-type': 'application/json' }
    assert.equal((await send('unknown', 'PUT /sandbox/bugs', body, type)).status, 400)
  }
  assert.deepEqual((await send('unknown', '/sandbox/bugs')).body, ['limit-101-accepted'])
})

test('a reset and a restored snapshot return to the bugs that the sandbox was started with', async () => {
  const { send } = await sharedSandbox()
  const snapshot = (await send('reset', '/sandbox/snapshot')).text
  const bug = ['limit-101-accepted']

  await send('reset', 'PUT /sandbox/bugs', bug)
  await send('reset', 'POST /sandbox/reset')
  assert.deepEqual((await send('reset', '/sandbox/bugs')).body, [])
  await send('reset', 'PUT /sandbox/bugs', bug)
  await send('reset', 'PUT /sandbox/snapshot', snapshot)
  assert.deepEqual((await send('reset', '/sandbox/bugs')).body, [])
})

test('a sandbox can start with bugs, to which a reset returns; they are those of every shop', async (t) => {
  const bug = findBug('limit-101-accepted') as Bug
  const { send } = await startSandbox(t, { bugs: { bugs: [bug], isHidden: false } })

  await send('a', 'PUT /sandbox/bugs', [])
  await send('a', 'POST /sandbox/reset')

  for (const shop of ['a', 'b']) assert.deepEqual((await send(shop, '/sandbox/bugs')).body, [bug.name])
  assert.equal((await send('a', '/pets?limit=101')).status, 200)
})

test('requests without a key of a shop go to the shop default if it has bugs', async (t) => {
  const { origin, send } = await startSandbox(t)
  const shopName = async () => (await fetch(`${origin}/v1/pets`)).headers.get('petstore-sandbox')

  assert.equal(await shopName(), '*')
  await send('default', 'PUT /sandbox/bugs', ['limit-101-accepted'])
  assert.equal(await shopName(), 'default')
  assert.equal((await fetch(`${origin}/v1/pets`)).status, 401)
  await send('default', 'PUT /sandbox/bugs', [])
  assert.equal(await shopName(), '*')
})

test('the operations of the sandbox need an admin key, and have no bugs themselves', async () => {
  const { send } = await sharedSandbox()
  await send('admin', 'PUT /sandbox/bugs', bugNames)
  const { key } = (await send('admin-2', 'POST /keys', { name: 'till', permission: 'write' })).body as { key: string }

  assert.equal((await send(key, '/sandbox/bugs')).status, 403)
  assert.deepEqual((await send('admin', '/sandbox/bugs')).body, bugNames)
  assert.equal((await send('admin', 'PUT /sandbox/bugs', [])).status, 200)
})
