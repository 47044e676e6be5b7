import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultNames } from '../../src/sandbox/fault-rules.ts'
import { followEvents } from '../support/event-stream.ts'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }
const prefer = (fault: string) => ({ prefer: `fault=${fault}` })
const countIn = async ({ send }: Awaited<ReturnType<typeof startSandbox>>, shop = 'a') =>
  ((await send(shop, '/pets')).body as unknown[]).length

test('every status of the closed set can be asked for, as an Error, and nothing is done', async (t) => {
  const sandbox = await startSandbox(t)
  const statuses = faultNames.filter((name) => /^\d+$/.test(name) && name !== '502' && name !== '504')
  assert.equal(statuses.length, 18)

  for (const status of statuses) {
    const response = await sandbox.send('a', 'POST /pets', rex, prefer(status))
    assert.equal(response.status, Number(status))
    assert.deepEqual(Object.keys(response.body as object), ['code', 'message', 'status'])
    assert.equal(response.headers.get('preference-applied'), `fault=${status}`)
    assert.equal(response.headers.get('petstore-sandbox'), 'a')
  }
  const retry = async (fault: string) =>
    (await sandbox.send('a', '/pets', undefined, prefer(fault))).headers.get('retry-after')
  assert.deepEqual([await retry('503'), await retry('429; seconds=7'), await retry('500')], ['1', '7', null])
  assert.equal(await countIn(sandbox), 0)
})

test('a status that was asked for leaves the connection open, and is no failure of the sandbox', async (t) => {
  const sandbox = await startSandbox(t)
  const request = (more: string) => `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sandbox_a\r\n${more}\r\n`

  const received = await sandbox.sendRaw(
    ['500', '502', '503'].map((fault) => request(`Prefer: fault=${fault}\r\n`)).join('') +
      request('Connection: close\r\n'),
  )

  assert.deepEqual(received.match(/(?<=HTTP\/1\.1 )\d+/g), ['500', '502', '503', '200'])
  assert.deepEqual(sandbox.failures, [])
})

test('502 and 504 are the page of a proxy', async (t) => {
  const { send } = await startSandbox(t)

  for (const status of ['502', '504']) {
    const response = await send('a', 'POST /pets', rex, prefer(status))
    assert.deepEqual([response.status, response.headers.get('content-type')], [Number(status), 'text/html'])
    assert.match(response.text, new RegExp(`^<html>[^]*${status} `))
  }
})

test('close does nothing; committed-then-cut has done everything; neither sends a response', async (t) => {
  const sandbox = await startSandbox(t)

  await assert.rejects(sandbox.send('a', 'POST /pets', rex, prefer('close')))
  assert.equal(await countIn(sandbox), 0)
  const idempotent = { 'idempotency-key': 'one' }
  await assert.rejects(sandbox.send('a', 'POST /pets', rex, { ...idempotent, ...prefer('committed-then-cut') }))
  const retried = await sandbox.send('a', 'POST /pets', rex, idempotent)

  assert.deepEqual([retried.status, retried.headers.get('idempotent-replayed')], [201, 'true'])
  assert.equal(await countIn(sandbox), 1)
})

test('reset ends in the middle of the body, also of a file', async (t) => {
  const { origin } = await startSandbox(t, { seed: 'demo' })
  const headers = { authorization: 'Bearer sandbox_a', prefer: 'fault=reset' }

  for (const path of ['/pets', '/pets/export']) {
    // A reset may reach a slow reader before the bytes that were sent first.
    await until(async () => {
      const response = await fetch(`${origin}/v1${path}`, { headers }).catch(() => undefined)
      if (response === undefined) return false
      assert.equal(response.status, 200)
      await assert.rejects(response.text())
      return true
    })
  }
})

test('a body in drips arrives whole; one that is not JSON says that it is', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })

  const plain = await send('a', '/pets')
  const drip = await send('a', '/pets', undefined, prefer('drip; seconds=0.1'))
  const broken = await fetchText(send('a', '/pets', undefined, prefer('not-json')))

  assert.equal(drip.text, plain.text)
  assert.match(broken, /not valid JSON/)
})

test('a file in drips arrives whole, and slowly', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })

  for (const path of ['/pets/export?format=csv', '/store/orders/export?format=ndjson']) {
    const plain = await send('a', path)
    const start = performance.now()
    const drip = await send('a', path, undefined, prefer('drip; seconds=0.2'))

    assert.equal(drip.text, plain.text)
    assert.ok(performance.now() - start > 150, path)
  }
})

test('a client that leaves a file in drips ends its export', async (t) => {
  const sandbox = await startSandbox(t, { seed: 'demo' })
  const leaving = new AbortController()
  const headers = { authorization: 'Bearer sandbox_a', ...prefer('drip; seconds=1') }

  const response = await fetch(`${sandbox.origin}/v1/pets/export?format=csv`, { headers, signal: leaving.signal })
  leaving.abort()

  await assert.rejects(response.text())
  assert.equal((await sandbox.send('a', '/pets')).status, 200)
  assert.deepEqual(sandbox.failures, [])
})

async function fetchText(sending: Promise<unknown>): Promise<string> {
  return sending.then(
    () => '',
    (error: Error) => error.message,
  )
}

test('a delay is before the change, delay-response after it', async (t) => {
  const sandbox = await startSandbox(t)
  const { send } = sandbox
  const late = await send('a', 'POST /pets', rex, prefer('delay; seconds=0.01'))
  const lateResponse = await send('a', 'POST /pets', rex, prefer('delay-response; seconds=0.01'))

  const pending = ['delay', 'delay-response'].map((fault) =>
    assert.rejects(send(fault, 'POST /pets', rex, prefer(`${fault}; seconds=600`))),
  )
  await until(async () => (await countIn(sandbox, 'delay-response')) === 1)

  assert.deepEqual([late.status, lateResponse.status], [201, 201])
  assert.equal(await countIn(sandbox, 'delay'), 0)
  sandbox.app.server.closeAllConnections()
  await Promise.all(pending)
})

test('a response that never comes is not done, and others are served meanwhile', async (t) => {
  const sandbox = await startSandbox(t)
  const pending = sandbox.send('a', 'POST /pets', rex, prefer('never'))
  let hasEnded = false
  pending.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  )

  assert.equal(await countIn(sandbox), 0)
  assert.equal(hasEnded, false)
  sandbox.app.server.closeAllConnections()
  await assert.rejects(pending)
})

test('earlier responses of a connection are sent before a cut, and later requests are not run', async (t) => {
  const sandbox = await startSandbox(t)
  const request = (name: string, more = '') => {
    const body = JSON.stringify({ name, categoryId: 1 })
    const head = `Host: x\r\nAuthorization: Bearer sandbox_a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    return `POST /v1/pets HTTP/1.1\r\n${head}${more}\r\n${body}`
  }

  const received = await sandbox.sendRaw(
    request('first') + request('second', 'Prefer: fault=committed-then-cut\r\n') + request('third'),
  )

  assert.equal(received.match(/HTTP\/1\.1 201/g)?.length, 1)
  const { body } = await sandbox.send('a', '/pets')
  assert.deepEqual(
    (body as { name: string }[]).map(({ name }) => name),
    ['first', 'second'],
  )
})

test('streams repeat an event, end after one, or stall after one', async (t) => {
  const { origin, send } = await startSandbox(t)
  const follow = (fault: string) => followEvents(t, { origin, key: 'sandbox_a', headers: prefer(fault) })
  const [plain, repeated, ended, stalled] = [
    await followEvents(t, { origin, key: 'sandbox_a' }),
    await follow('repeat-event'),
    await follow('end-stream'),
    await follow('stall-stream'),
  ]
  await send('a', 'POST /pets', rex)
  await stalled.until(() => stalled.events.length === 1)
  await send('a', 'POST /pets', rex)
  await plain.until(() => plain.events.length === 2)
  await repeated.until(() => repeated.events.length === 4)

  assert.equal(await ended.ended, true)
  assert.deepEqual(
    repeated.events.map(({ id }) => id),
    ['1', '1', '2', '2'],
  )
  assert.deepEqual([ended.events.length, stalled.events.length], [1, 1])
})

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
