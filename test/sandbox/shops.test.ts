import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../support/event-stream.ts'
import { startApp } from '../support/app.ts'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }

test('any key sandbox_NAME opens a shop of its own, and no shop sees another', async (t) => {
  const { send } = await startSandbox(t)

  const created = await send('one', 'POST /pets', rex)
  const other = await send('two', 'POST /pets', { ...rex, name: 'Tom' })

  assert.deepEqual([created.status, created.body], [201, { id: 1, ...rex }])
  assert.equal((other.body as { id: number }).id, 1)
  assert.deepEqual((await send('one', '/pets')).body, [{ id: 1, ...rex }])
  assert.deepEqual((await send('three', '/pets')).body, [])
})

test('every response names its shop, refusals too; * is none', async (t) => {
  const { origin, send, sendRaw } = await startSandbox(t)
  const nameIn = (response: { headers: Headers }) => response.headers.get('petstore-sandbox')

  assert.equal(nameIn(await send('one', '/pets')), 'one')
  assert.equal(nameIn(await send('A-b_9', '/nothing')), 'A-b_9')
  assert.equal(nameIn(await send('one', 'POST /pets', [])), 'one')
  assert.equal(nameIn(await fetch(`${origin}/v1/pets`)), '*')
  assert.equal(nameIn(await fetch(`${origin}/openapi.json`)), '*')
  assert.match(await sendRaw('nonsense\r\n\r\n'), /^HTTP\/1\.1 400 [^]*petstore-sandbox: \*\r\n/)
  const body =
    'POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sandbox_one\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'
  assert.match(await sendRaw(body), /^HTTP\/1\.1 400 [^]*petstore-sandbox: one\r\n/)
})

test('a name has letters, digits, - and _, up to 64; any other key is 401', async (t) => {
  const { origin, send } = await startSandbox(t)
  const statusOf = async (authorization: string) =>
    (await fetch(`${origin}/v1/pets`, { headers: { authorization } })).status

  assert.equal((await send('a'.repeat(64), '/pets')).status, 200)
  assert.equal(await statusOf('bearer   sandbox_x'), 200)
  for (const key of ['sandbox_', `sandbox_${'a'.repeat(65)}`, 'sandbox_a.b', 'Sandbox_a', 'sandbox', 'pet_test_x']) {
    assert.equal(await statusOf(`Bearer ${key}`), 401, key)
  }
  assert.equal(await statusOf('Basic sandbox_x'), 401)
})

test('a key that was made in a shop belongs to it, with its permission', async (t) => {
  const { send } = await startSandbox(t)
  await send('one', 'POST /pets', rex)
  const { key } = (await send('one', 'POST /keys', { name: 'reader', permission: 'read' })).body as { key: string }

  const list = await send(key, '/pets')
  const create = await send(key, 'POST /pets', rex)

  assert.deepEqual([list.status, list.headers.get('petstore-sandbox')], [200, 'one'])
  assert.equal((list.body as unknown[]).length, 1)
  assert.equal(create.status, 403)
})

test('an invitation belongs to the shop in which it was made, and ends by its clock', async (t) => {
  const { send } = await startSandbox(t)
  const invite = async (shop: string) =>
    (await send(shop, 'POST /invitations', { name: 'Anna', permission: 'read' })).body as { token: string }
  const [one, two] = [await invite('one'), await invite('two')]

  const redeemed = await send(two.token, 'POST /invitations/redeem')
  const again = await send(two.token, 'POST /invitations/redeem')
  const { key } = redeemed.body as { key: string }
  const list = await send(key, '/pets')
  await send('one', 'PUT /sandbox/clock', { advance: 'P1D' })
  const expired = await send(one.token, 'POST /invitations/redeem')

  assert.deepEqual([redeemed.status, redeemed.headers.get('petstore-sandbox')], [201, 'two'])
  assert.deepEqual([list.status, list.headers.get('petstore-sandbox')], [200, 'two'])
  assert.deepEqual([again.status, expired.status], [401, 401])
  // The used one belongs to no shop any more.
  assert.equal(again.text, expired.text)
})

test('no snapshot and no journal of a shop has an invitation or its token', async (t) => {
  const { send } = await startSandbox(t)
  const invitation = await send('one', 'POST /invitations', { name: 'Anna', permission: 'read' })
  const { token } = invitation.body as { token: string }
  await send('one', `/pets?name=${token}`)
  await send('one', 'POST /pets', { ...rex, name: token })

  const snapshot = await send('one', '/sandbox/snapshot')
  const journal = await send('one', '/sandbox/requests')

  assert.equal(invitation.status, 201)
  assert.doesNotMatch(snapshot.text, /Anna|invit.*hash/)
  assert.ok(!journal.text.includes(token) && journal.text.includes('pet_invite_…'))
})

test('a shop has at most 10,000 animals; one more is 409, and the other shops go on', async (t) => {
  const { send } = await startSandbox(t)
  const animals = (count: number) => '{"name":"Rex","categoryId":1}\n'.repeat(count)
  assert.equal((await send('full', 'POST /pets/import', animals(9_999))).status, 200)

  const over = await send('full', 'POST /pets/import', animals(2))
  const last = await send('full', 'POST /pets', rex)
  const refused = await send('full', 'POST /pets', rex)

  assert.equal(over.status, 409)
  assert.match(over.text, /at most 10,000 animals.* No animals were added/)
  assert.equal(last.status, 201)
  assert.deepEqual([refused.status, (refused.body as { code: string }).code], [409, 'conflict'])
  assert.equal((await send('full', '/pets?limit=1')).status, 200)
  assert.equal((await send('other', 'POST /pets', rex)).status, 201)
})

test('a shop has at most 10,000 events and 16 MiB', async (t) => {
  const { send } = await startSandbox(t)
  assert.equal(
    (await send('events', 'POST /pets/import', '{"name":"Rex","categoryId":1}\n'.repeat(10_000))).status,
    200,
  )
  const name = 'x'.repeat(60_000)
  const large = Array.from({ length: 300 }, () => `{"name":"${name}","categoryId":1}\n`)

  const change = await send('events', 'PATCH /pets/1', { name: 'Tom' })
  const added = await send('bytes', 'POST /pets/import', large.slice(0, 100).join(''))
  const rest = await send('bytes', 'POST /pets/import', large.slice(0, 100).join(''))

  assert.match(change.text, /"conflict".*at most 10,000 events/)
  assert.equal(added.status, 200)
  assert.match(rest.text, /"conflict".*at most 16 MiB/)
})

test('beyond the most shops a new one is 503, until one was unused for 10 minutes', async (t) => {
  let now = 0
  const { send } = await startSandbox(t, { now: () => now, maxShops: 2 })
  await send('first', '/pets')
  now = 5 * 60_000
  await send('second', 'POST /pets', rex)

  const refused = await send('third', '/pets')
  now = 10 * 60_000
  const opened = await send('third', '/pets')

  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '300'])
  assert.equal(refused.headers.get('petstore-sandbox'), '*')
  assert.equal(opened.status, 200)
  assert.equal(((await send('second', '/pets')).body as unknown[]).length, 1, 'a shop in use stays')
  assert.equal((await send('first', '/pets')).status, 503, 'it made room')
})

test('a stream keeps its shop in use', async (t) => {
  let now = 0
  const { origin, send } = await startSandbox(t, { now: () => now, maxShops: 1 })
  const stream = await followEvents(t, { origin, key: 'sandbox_followed' })
  now = 60 * 60_000

  assert.equal((await send('other', '/pets')).status, 503)
  stream.leave()
  await until(async () => {
    now += 10 * 60_000
    return (await send('other', '/pets')).status === 200
  })
})

test('a shop begins with the seed of the sandbox', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })

  const { body, headers } = await send('one', '/pets?limit=1', undefined, { prefer: 'count=exact' })
  const next = await send('one', 'POST /pets', rex)

  assert.deepEqual(body, [{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }])
  assert.equal(headers.get('x-total-count'), '10')
  assert.equal((next.body as { id: number }).id, 11)
  assert.deepEqual((await send('two', '/events')).body, [])
  assert.equal(((await send('two', '/pets?name=bigotes')).body as unknown[]).length, 1, 'its names can be searched')
})

test('the service does not know the keys of the sandbox', async (t) => {
  const { origin } = await startApp(t)

  const response = await fetch(`${origin}/v1/pets`, { headers: { authorization: 'Bearer sandbox_default' } })

  assert.deepEqual([response.status, response.headers.get('petstore-sandbox')], [401, null])
})
