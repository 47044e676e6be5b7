import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PetStore, TimeoutError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { unavailable } from '../support/made-up-answers.ts'

test('a call takes its own timeoutMs and signal', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { maxAttempts: 1 } })
  proxy.next('hang', 'hang')

  await assert.rejects(petstore.pets.find(1, { timeoutMs: 50 }), TimeoutError)
  await assert.rejects(petstore.pets.find(1, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError', code: 23 })
})

test('the timeout includes the body', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { maxAttempts: 1 } })
  proxy.next('stall')

  await assert.rejects(petstore.pets.find(1, { timeoutMs: 100 }), TimeoutError)
})

test('an abort rejects with its reason: before, during and between attempts', async (t) => {
  const { petstore, proxy } = await startClient(t, {
    retry: { baseDelayMs: 60_000, maxDelayMs: 60_000, totalTimeoutMs: 1e9 },
  })
  const reason = new Error('Changed my mind.')
  const isReason = (error: unknown) => error === reason

  await assert.rejects(petstore.pets.find(1, { signal: AbortSignal.abort(reason) }), isReason)
  assert.equal(proxy.requests.length, 0)

  for (const fault of ['hang', unavailable] as const) {
    proxy.next(fault)
    const aborter = new AbortController()
    const seen: number = proxy.requests.length
    const call = assert.rejects(petstore.pets.find(1, { signal: aborter.signal }), isReason)
    // However long a busy machine takes to send it.
    while (proxy.requests.length === seen) await sleep(5)
    await sleep(50)
    aborter.abort(reason)
    await call
  }
  assert.equal(proxy.requests.length, 2)
})

/** A `fetch` that never hears of an abort, as some wrappers are. */
const deaf: typeof fetch = () => new Promise(() => undefined)
const deafBody: typeof fetch = async () =>
  new Response(new ReadableStream({}), { headers: { 'content-type': 'application/json' } })

for (const [name, fetch] of [
  ['that ignores its signal', deaf],
  ['whose body ignores its signal', deafBody],
] as const) {
  test(`a fetch ${name} does not prevent a timeout or an abort`, async () => {
    const petstore = new PetStore({
      baseUrl: 'http://shop.example/v1',
      apiKey: 'key',
      fetch,
      retry: { maxAttempts: 1 },
    })
    const aborter = new AbortController()

    await assert.rejects(petstore.pets.find(1, { timeoutMs: 20 }), TimeoutError)
    const aborted = assert.rejects(petstore.pets.find(1, { signal: aborter.signal }), (error) => error === 'Enough.')
    aborter.abort('Enough.')
    await aborted
  })
}

test('a stream whose fetch ignores its signal times out', async () => {
  let connections = 0
  const aborter = new AbortController()
  const petstore = new PetStore({
    baseUrl: 'http://shop.example/v1',
    apiKey: 'key',
    retry: { baseDelayMs: 1, maxDelayMs: 1 },
    fetch: async () => {
      if (++connections === 3) aborter.abort('Enough.')
      return new Response(new ReadableStream({}), { headers: { 'content-type': 'text/event-stream' } })
    },
  })

  const events = petstore.events.follow({ maxSilenceMs: 5, signal: aborter.signal })

  await assert.rejects(events.next(), (error) => error === 'Enough.')
})
