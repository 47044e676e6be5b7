import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'

test('requests from before resets are cut if they keep more than 16 MiB', async (t) => {
  const pets = Array.from(
    { length: 150 },
    (_, id) => `{"id":${id + 1},"name":"${'x'.repeat(60_000)}","categoryId":1}\n`,
  )
  const { app, send } = await startSandbox(t, { seed: { file: Buffer.from(pets.join('')) } })
  const ended: string[] = []
  const hold = async (name: string) => {
    await assert.rejects(send('a', `/pets?name=${name}`, undefined, { prefer: 'fault=never' }))
    ended.push(name)
  }
  const reset = async () => {
    await until(async () => (await send('a', '/sandbox/requests')).text.includes('"fault":"never"'))
    assert.equal((await send('a', 'POST /sandbox/reset')).status, 204)
  }

  const first = hold('first')
  await reset()
  const second = hold('second')
  assert.deepEqual(ended, [])
  await reset()
  await first

  assert.deepEqual(ended, ['first'])
  app.server.closeAllConnections()
  await second
})

test('a request that gets no response is forgotten when its client leaves', async (t) => {
  const { app, origin, send } = await startSandbox(t)
  const leaving = new AbortController()
  const headers = { authorization: 'Bearer sandbox_a', prefer: 'fault=never' }
  const left = assert.rejects(fetch(`${origin}/v1/pets`, { headers, signal: leaving.signal }))
  await until(async () => (await send('a', '/sandbox/requests')).text.includes('"fault":"never"'))
  const { connections } = app.stats()

  leaving.abort()
  await left

  await until(() => app.stats().connections < connections)
})

test('a delay ends when its client leaves, and the request is carried out', async (t) => {
  const sandbox = await startSandbox(t)
  const petCount = async () => ((await sandbox.send('a', '/pets')).body as unknown[]).length
  const leaving = new AbortController()
  const pending = fetch(`${sandbox.origin}/v1/pets`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox_a',
      'content-type': 'application/json',
      prefer: 'fault=delay; seconds=600',
    },
    body: '{"name":"Rex","categoryId":1}',
    signal: leaving.signal,
  })
  const left = assert.rejects(pending)
  await until(async () => (await sandbox.send('a', '/sandbox/requests')).text.includes('"fault":"delay"'))
  assert.equal(await petCount(), 0)

  leaving.abort()
  await left

  await until(async () => (await petCount()) === 1)
})

test('a client that leaves before its turn does not keep the place of a file', async (t) => {
  const received: string[] = []
  let isBusy = false
  const answered = () => {
    // Longer than the slice of a tick: the requests behind it wait for another one.
    const endsAt = performance.now() + (isBusy ? 6 : 0)
    while (performance.now() < endsAt);
  }
  const ignore = () => undefined
  const observer = {
    answered,
    refused: ignore,
    streamOpened: ignore,
    streamEnded: ignore,
    unavailable: ignore,
    failed: ignore,
  }
  const { send, app } = await startSandbox(t, { observer })
  await send('files', '/pets')
  app.server.prependListener('request', ({ url }) => void received.push(url as string))
  const { port } = app.server.address() as AddressInfo
  const open = () => connect(port, '127.0.0.1').on('error', () => undefined)
  const [busy, leaving] = [Array.from({ length: 20 }, open), Array.from({ length: 16 }, open)]
  const { connections } = app.stats()
  await until(() => app.stats().connections === connections + 36)
  const start = (path: string) => `GET /v1${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer sandbox_files\r\n\r\n`

  isBusy = true
  for (const socket of busy) socket.write(start('/pets'))
  for (const socket of leaving) socket.write(start('/sandbox/snapshot'))
  await until(() => received.filter((url) => url.endsWith('/snapshot')).length === 16)
  for (const socket of leaving) socket.resetAndDestroy()
  await until(() => app.stats().connections === connections + 20)
  isBusy = false
  for (const socket of busy) socket.destroy()

  const { status } = await send('files', '/sandbox/snapshot')
  assert.equal(status, 200)
})
