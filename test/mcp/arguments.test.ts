import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, connect, post } from '../support/agent.ts'
import { share, startApp } from '../support/app.ts'
import { startShop } from '../support/operations.ts'

const sharedShop = share((t) => startShop(t, { hasMcp: true }))

test('arguments that a tool does not have are refused by name, wherever they would belong', async (t) => {
  const agent = await connect(t, await sharedShop())
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['listPets', { colour: 'red' }, /"colour"/],
    ['listPets', { constructor: 'x' }, /"constructor"/],
    ['createPet', { name: 'Rex', categoryId: 1, colour: 'red', idempotencyKey: 'c' }, /"colour"/],
    ['updatePet', { petId: 1, constructor: 'x' }, /"constructor"/],
    ['listPets', { status: null }, /^status must be/],
    ['listPets', { name: '\ud800' }, /^name must be/],
    ['updatePet', { name: 'Rex' }, /^petId is missing/],
    ['createPet', { name: 'Rex', categoryId: 1 }, /^idempotencyKey is missing/],
  ]
  for (const [tool, given, message] of cases) {
    const { isError, message: told } = await agent.call(tool, given)
    assert.equal(isError, true)
    assert.match(String(told), message)
  }
})

test('an argument called __proto__ is refused like any other that a tool does not have', async () => {
  const app = await sharedShop()

  for (const value of ['{"status":"sold"}', '"x"', '1']) {
    const read = await post(app, callOf('listPets', `{"__proto__":${value}}`))
    const added = `{"name":"Rex","categoryId":1,"idempotencyKey":"p","__proto__":${value}}`
    const { text } = await post(app, callOf('createPet', added))
    assert.match(read.text, /"isError":true/, read.text)
    assert.match(text, /"isError":true.*__proto__|__proto__.*"isError":true/, text)
  }
})

test('a message keeps the digits of its id, and another number of the protocol may have any form', async () => {
  const app = await sharedShop()

  for (const id of ['9007199254740993', '1.0', '"1"']) {
    const call = callOf('listPets', '{"id":1}').replace('"id":1,', `"id":${id},`)
    const { text } = await post(app, call.replace('"arguments"', '"_meta":{"progressToken":1.0},"arguments"'))
    assert.ok(text.includes('"data":[{"id":1,') && text.includes(`"jsonrpc":"2.0","id":${id}}`), text)
    const wrong = await post(app, `{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen"}`)
    assert.ok(wrong.text.includes(`"id":${id}`), wrong.text)
  }
})

test('an argument leads to no other operation', async () => {
  const app = await sharedShop()

  for (const petId of ['import', 'export', '1/../../keys', '%2e%2e', '1?limit=1', '1#']) {
    for (const [tool, more] of Object.entries({ deletePet: '', updatePet: ',"name":"Rex"' })) {
      const { text } = await post(app, callOf(tool, `{"petId":${JSON.stringify(petId)}${more}}`))
      assert.match(text, /No animal has this id/, `${tool} ${petId}: ${text}`)
    }
  }
  assert.deepEqual(app.failures, [])
})

test('an argument has the length that an address may have, and a longer one is not logged', async (t) => {
  const app = await startApp(t, { hasMcp: true })

  const { text } = await post(app, callOf('getOrder', `{"orderId":"${'€'.repeat(20_000)}"}`))

  assert.match(text, /An argument is too long/)
  assert.ok(app.answered.every(({ path }) => path.length < 100))
})

test('an integer is one however JSON writes it', async () => {
  const app = await sharedShop()

  for (const one of ['1', '1.0', '1e0', '"1"']) {
    const found = await post(app, callOf('listPets', `{"id":${one},"limit":${one}}`))
    const order = await post(app, callOf('getOrder', `{"orderId":${one}}`))
    assert.ok(found.text.includes('"structuredContent":{"data":[{"id":1,'), found.text)
    assert.ok(order.text.includes('"structuredContent":{"data":{"id":1,'), order.text)
  }
})

test('an error has the names of arguments, not of headers', async (t) => {
  const agent = await connect(t, await sharedShop())
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['createPet', { name: 'Rex', categoryId: 1, idempotencyKey: 'é\r\nx: y' }, /^idempotencyKey must be/],
    ['updatePet', { petId: 1, name: 'Rex', ifMatch: 'x' }, /^ifMatch must be .* as in `etag`\.$/],
    ['updatePet', { petId: 1, name: 'Rex', ifMatch: '"x"' }, /does not meet ifMatch/],
    ['listPets', { cursor: 'x' }, /^cursor must be one from `nextCursor` of a result with/],
  ]
  for (const [tool, given, message] of cases) assert.match(String((await agent.call(tool, given))['message']), message)
})

test('a change that was made is never told as refused, however large its result', async (t) => {
  const app = await startApp(t, { hasMcp: true })
  // An import takes these as one byte each; JSON writes six characters for each.
  await app.storage.imports.add([{ name: '\u0001'.repeat(60_000), categoryId: 1n }])
  const agent = await connect(t, app)

  const changed = await agent.call('updatePet', { petId: 1, status: 'sold' })

  assert.equal(changed['isError'], false)
  assert.equal((changed['data'] as { status: string }).status, 'sold')
})
