import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSandbox } from '../support/sandbox.ts'
import { prefer, rex } from '../support/sandbox-faults.ts'

test('a rule is applied to its operation, after and for as many requests as it says', async (t) => {
  const { send } = await startSandbox(t)
  const rule = { operation: 'createPet', fault: '503', after: 1, times: 2 }
  const put = await send('a', 'PUT /sandbox/faults', [rule])
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await send('a', 'POST /pets', rex)).status)

  assert.deepEqual([put.status, put.body], [200, [{ ...rule, applied: 0 }]])
  assert.deepEqual(statuses, [201, 503, 503, 201])
  assert.deepEqual((await send('a', '/sandbox/faults')).body, [{ ...rule, applied: 2 }])
  assert.equal((await send('a', '/pets')).status, 200)
  assert.equal((await send('b', 'POST /pets', rex)).status, 201, 'other shops have none')
})

test('the same seed gives the same sequence; a reset or a delete removes all rules', async (t) => {
  const { send } = await startSandbox(t)
  const sequence = async (seed: number) => {
    await send('a', 'PUT /sandbox/faults', [{ fault: '500', share: 0.5, seed }])
    const statuses: number[] = []
    for (let count = 0; count < 24; count++) statuses.push((await send('a', '/pets')).status)
    return statuses.join()
  }
  const first = await sequence(7)

  assert.equal(await sequence(7), first)
  assert.notEqual(await sequence(8), first)
  assert.match(first, /200.*500|500.*200/)
  await send('a', 'PUT /sandbox/faults', [{ fault: '500' }])
  assert.equal((await send('a', '/pets')).status, 500)
  await send('a', 'DELETE /sandbox/faults')
  assert.equal((await send('a', '/pets')).status, 200)
  await send('a', 'PUT /sandbox/faults', [{ fault: '500' }])
  assert.equal((await send('a', 'POST /sandbox/reset')).status, 204, 'the sandbox itself has no faults')
  assert.equal((await send('a', '/pets')).status, 200)
})

test('the operations of the sandbox have no faults, neither by a rule nor by Prefer', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'PUT /sandbox/faults', [{ fault: 'close' }])

  for (const path of ['faults', 'clock', 'requests', 'snapshot', 'bugs']) {
    const response = await send('a', `/sandbox/${path}`, undefined, prefer('503'))
    assert.deepEqual([response.status, response.headers.get('preference-applied')], [200, null], path)
  }
})

test('a rule may have a status as a number', async (t) => {
  const { send } = await startSandbox(t)

  const put = await send('a', 'PUT /sandbox/faults', [{ fault: 503 }, { fault: '404' }])

  assert.deepEqual(put.body, [
    { fault: '503', applied: 0 },
    { fault: '404', applied: 0 },
  ])
  assert.equal((await send('a', '/pets')).status, 503)
  for (const fault of [200, 503.5, -503, null]) {
    assert.equal((await send('a', 'PUT /sandbox/faults', [{ fault }])).status, 400)
  }
})

test('the numbers of a rule have the bounds that the document names', async (t) => {
  const { send, origin } = await startSandbox(t)
  const { components } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    components: { schemas: Record<string, unknown> }
  }
  const { properties } = components.schemas['FaultRule'] as {
    properties: Record<string, { minimum?: number; maximum?: number }>
  }
  const numbers = Object.entries(properties).filter(([, { minimum }]) => minimum !== undefined)
  const statusOf = async (member: object) =>
    (await send('a', 'PUT /sandbox/faults', [{ fault: 'delay', ...member }])).status

  assert.deepEqual(
    numbers.map(([name]) => name),
    ['seconds', 'times', 'after', 'share', 'seed'],
  )
  for (const [name, { minimum = NaN, maximum = NaN }] of numbers) {
    assert.deepEqual([await statusOf({ [name]: minimum }), await statusOf({ [name]: maximum })], [200, 200], name)
    const outside = [await statusOf({ [name]: minimum - 1 }), await statusOf({ [name]: maximum + 1 })]
    assert.deepEqual(outside, [400, 400], name)
  }
})

test('an unknown fault or a wrong rule is 400 and changes nothing', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'PUT /sandbox/faults', [{ fault: '500', operation: 'createPet' }])

  for (const [body, message] of [
    [{ fault: '500' }, /must be a JSON array/],
    [[5], /Fault 1 must be an object/],
    [[{ fault: '500' }, {}], /Fault 2: fault is missing/],
    [[{ fault: '418' }], /Fault 1: fault must be one of 400, 401/],
    [[{ fault: '500', operation: 'deleteAll' }], /operation must be the id of an operation/],
    [[{ fault: 'delay', seconds: 601 }], /seconds must be a number from 0 to 600/],
    [[{ fault: '500', times: 0 }], /times must be an integer from 1/],
    [[{ fault: '500', share: 2 }], /share must be a number from 0 to 1/],
    [[{ fault: '500', often: true }], /there is no "often"/],
  ] as const) {
    const { status, text } = await send('a', 'PUT /sandbox/faults', body)
    assert.equal(status, 400)
    assert.ok(message.test((JSON.parse(text) as { message: string }).message), text)
  }
  assert.equal(((await send('a', '/sandbox/faults')).body as unknown[]).length, 1)
  for (const fault of ['nothing', '200', 'delay; seconds=1000']) {
    assert.equal((await send('a', '/pets', undefined, prefer(fault))).status, 400, fault)
  }
})
