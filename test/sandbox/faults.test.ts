import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultNames } from '../../src/sandbox/fault-rules.ts'
import { piecesOf } from '../../src/sandbox/partial-replies.ts'
import { followEvents, numberOf } from '../support/event-stream.ts'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'
import { countIn, prefer, rex } from '../support/sandbox-faults.ts'

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

test('a body in drips comes in ten pieces, a shorter one byte by byte', () => {
  for (const [length, count] of [
    [0, 1],
    [1, 1],
    [9, 9],
    [10, 10],
    [11, 10],
    [91, 10],
    [65_537, 10],
  ] as const) {
    const bytes = Buffer.alloc(length, 'abc')
    const pieces = piecesOf(bytes)

    assert.equal(pieces.length, count)
    assert.deepEqual(Buffer.concat(pieces), bytes)
    assert.ok(length === 0 || pieces.every((piece) => piece.length > 0))
  }
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
  assert.deepEqual(repeated.events.map(numberOf), ['1', '1', '2', '2'])
  assert.deepEqual([ended.events.length, stalled.events.length], [1, 1])
})

async function fetchText(sending: Promise<unknown>): Promise<string> {
  return sending.then(
    () => '',
    (error: Error) => error.message,
  )
}
