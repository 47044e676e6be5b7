import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../support/agent.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }

interface Journaled {
  path: string
  operation?: string
  requestId: string
  status?: number
  fault?: string
  body?: string
}

/** The response to a tool call, as it comes. */
async function post({ origin }: TestSandbox, name: string, given: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox_a',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The result of a tool call. */
function resultOf({ text }: { text: string }): {
  isError?: boolean
  structuredContent?: { data: unknown }
  text: string
} {
  const message = /^data: (.*)$/m.exec(text)?.[1] ?? text
  const { result } = JSON.parse(message) as { result: { content: { text: string }[] } }
  return { ...result, text: result.content[0]?.text ?? '' }
}

const countIn = async ({ send }: TestSandbox) => ((await send('a', '/pets')).body as unknown[]).length

async function setFault({ send }: TestSandbox, rule: object): Promise<void> {
  assert.equal((await send('a', 'PUT /sandbox/faults', [rule])).status, 200)
}

test('an agent uses the shop of its key, with the clock of the shop, and the journal has its calls', async (t) => {
  const { origin, send } = await startSandbox(t)
  const agent = await connect(t, { origin, key: 'sandbox_a' })
  await send('a', 'PUT /sandbox/clock', { now: '2030-01-01T00:00:00Z', frozen: true })

  await agent.call('createPet', { ...rex, idempotencyKey: 'one' })
  const { data } = await agent.call('placeOrder', { petId: 1, idempotencyKey: 'two' })

  assert.equal((data as { placedAt: string }).placedAt, '2030-01-01T00:00:00.000Z')
  assert.deepEqual((await send('b', '/pets')).body, [])
  const [entry, more] = (await send('a', '/sandbox/requests?operation=placeOrder')).body as Journaled[]
  assert.deepEqual([entry?.path, entry?.status, entry?.body, more], ['/v1/store/orders', 201, '{"petId":1}', undefined])
  const messages = (await send('a', '/sandbox/requests?path=/mcp')).body as Journaled[]
  const message = messages.find(({ requestId }) => requestId === entry?.requestId)
  assert.equal(message?.status, 200)
  assert.match(message?.body ?? '', /"method":"tools\/call".*"placeOrder"/)
})

test('without the key of a shop an agent is refused', async (t) => {
  const { origin } = await startSandbox(t)

  for (const headers of [{}, { authorization: 'Bearer another' }]) {
    const response = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: '{}' })
    assert.equal(response.status, 401)
    assert.equal(((await response.json()) as { code: string }).code, 'unauthorized')
  }
})

test('a fault that is a status is an error in the result, and nothing is done', async (t) => {
  const sandbox = await startSandbox(t)
  await setFault(sandbox, { operation: 'createPet', fault: 503, times: 1 })

  const refused = await post(sandbox, 'createPet', { ...rex, idempotencyKey: 'one' })
  const done = await post(sandbox, 'createPet', { ...rex, idempotencyKey: 'one' })

  const { isError, text } = resultOf(refused)
  assert.deepEqual([refused.status, isError, (JSON.parse(text) as { code: string }).code], [200, true, 'unavailable'])
  assert.equal(resultOf(done).isError, undefined)
  assert.equal(await countIn(sandbox), 1)
  const entries = (await sandbox.send('a', '/sandbox/requests?operation=createPet')).body as Journaled[]
  assert.deepEqual(
    entries.map(({ status, fault }) => [status, fault]),
    [
      [503, '503'],
      [201, undefined],
    ],
  )
  assert.deepEqual(sandbox.failures, [])
})

for (const [fault, count] of [
  ['close', 0],
  ['committed-then-cut', 1],
  ['reset', 1],
] as const) {
  test(`${fault} leaves an agent without a result, and ${count === 0 ? 'nothing' : 'everything'} is done`, async (t) => {
    const sandbox = await startSandbox(t)
    await setFault(sandbox, { fault, times: 1 })

    await assert.rejects(post(sandbox, 'createPet', { ...rex, idempotencyKey: 'one' }))

    assert.equal(await countIn(sandbox), count)
    await post(sandbox, 'createPet', { ...rex, idempotencyKey: 'one' })
    assert.equal(await countIn(sandbox), 1)
  })
}

for (const fault of ['delay', 'delay-response', 'drip']) {
  test(`${fault} makes a tool slow, and its result is right`, async (t) => {
    const sandbox = await startSandbox(t)
    await setFault(sandbox, { operation: 'createPet', fault, seconds: 0.2, times: 1 })
    const startedAt = performance.now()

    const { structuredContent } = resultOf(await post(sandbox, 'createPet', { ...rex, idempotencyKey: 'one' }))

    assert.deepEqual(structuredContent?.data, { id: 1, ...rex })
    assert.ok(performance.now() - startedAt >= 150)
  })
}

test('never gives a tool no result, until the agent leaves', async (t) => {
  const sandbox = await startSandbox(t)
  await setFault(sandbox, { operation: 'createPet', fault: 'never', times: 1 })
  const given = { ...rex, idempotencyKey: 'one' }

  const isAnswered = await Promise.race([
    post(sandbox, 'createPet', given).then(() => true),
    post(sandbox, 'listPets', {}).then(() => false),
  ])

  assert.equal(isAnswered, false)
  assert.equal(await countIn(sandbox), 0)
})

test('502, 504 and not-json are no messages of the protocol', async (t) => {
  const sandbox = await startSandbox(t)

  for (const [fault, status, text, count] of [
    ['502', 502, /^<html>[^]*502 Bad Gateway/, 0],
    ['504', 504, /^<html>[^]*504 Gateway Time-out/, 0],
    ['not-json', 200, /^This is not JSON\.$/, 1],
  ] as const) {
    await setFault(sandbox, { operation: 'createPet', fault, times: 1 })
    const response = await post(sandbox, 'createPet', { ...rex, idempotencyKey: 'one' })
    assert.equal(response.status, status)
    assert.match(response.text, text)
    assert.equal(await countIn(sandbox), count, fault)
  }
  const messages = (await sandbox.send('a', '/sandbox/requests?path=/mcp')).body as Journaled[]
  assert.deepEqual(
    messages.map(({ status }) => status),
    [502, 504, 200],
  )
  const calls = (await sandbox.send('a', '/sandbox/requests?operation=createPet')).body as Journaled[]
  assert.deepEqual(
    calls.map(({ status }) => status),
    [502, 504, 201],
  )
  assert.deepEqual(sandbox.failures, [])
})

test('wrong-result is well-formed, but not what was asked for: in a tool and in a response', async (t) => {
  const sandbox = await startSandbox(t)
  await setFault(sandbox, { operation: 'createPet', fault: 'wrong-result', times: 2 })

  const { isError, structuredContent } = resultOf(await post(sandbox, 'createPet', { ...rex, idempotencyKey: 'one' }))
  const response = await sandbox.send('a', 'POST /pets', rex)

  assert.deepEqual([isError, structuredContent?.data], [undefined, 'This is a wrong result.'])
  assert.deepEqual([response.status, response.body], [201, 'This is a wrong result.'])
  assert.equal(await countIn(sandbox), 2)
})

test('a message asks for the fault of its tool with Prefer, which the response confirms', async (t) => {
  const sandbox = await startSandbox(t)

  const response = await post(sandbox, 'listPets', {}, { prefer: 'fault=429' })

  assert.equal(response.headers.get('preference-applied'), 'fault=429')
  assert.equal((JSON.parse(resultOf(response).text) as { code: string }).code, 'rate_limited')
  assert.equal(resultOf(await post(sandbox, 'listPets', {})).isError, undefined)
})

test('a tool has the bugs of its operation, and the protocol stays right', async (t) => {
  const sandbox = await startSandbox(t)
  const bugs = ['status-set-by-default', 'validation-before-key', 'length-in-characters', 'deletes-leave-no-event']
  assert.equal((await sandbox.send('a', 'PUT /sandbox/bugs', bugs)).status, 200)

  const { structuredContent } = resultOf(
    await post(sandbox, 'createPet', { name: 'ポチ', categoryId: 1, idempotencyKey: 'one' }),
  )
  await post(sandbox, 'deletePet', { petId: 1 })
  const events = resultOf(await post(sandbox, 'listEvents', {})).structuredContent?.data as { type: string }[]

  assert.deepEqual(structuredContent?.data, { id: 1, name: 'ポチ', categoryId: 1, status: 'available' })
  assert.deepEqual(
    events.map(({ type }) => type),
    ['petstore.pet.created'],
  )
  assert.deepEqual(sandbox.failures, [])
})
